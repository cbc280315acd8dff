/** The measures of a picture, in pixels. Lines of box drawing are on whole pixels, so they are sharp. */

export const cellWidth = 9
export const cellHeight = 18
/** 0.602 of it is the advance of DejaVu Sans Mono: nine pixels. */
export const fontSize = 14.95
/** The distance from the top of a cell. */
export const baseline = 14
/** Around the cells. */
export const padding = 6

/** The middle of a cell, where thin lines are drawn. */
export const middleX = 4.5
export const middleY = 9.5

// Data of SVG paths.

/** At most two digits behind the point, and no zeros at the end. */
export const short = (value: number): string => String(Math.round(value * 100) / 100)

export function rectangle(left: number, top: number, right: number, bottom: number): string {
  return `M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}z`
}

export function circle(x: number, y: number, radius: number): string {
  const r = short(radius)
  const d = short(2 * radius)
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 -${d} 0z`
}
