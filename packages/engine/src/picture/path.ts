/** Data of SVG paths. */

/** At most two digits behind the point, and no zeros at the end. */
export const short = (value: number): string => String(Math.round(value * 100) / 100)

export function rectangle(left: number, top: number, right: number, bottom: number): string {
  return `M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}z`
}

export function circle(x: number, y: number, radius: number): string {
  const [r, d] = [short(radius), short(2 * radius)]
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 -${d} 0z`
}
