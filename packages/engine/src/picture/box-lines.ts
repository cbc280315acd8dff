/** Box drawing (U+2500–257F) as areas, which join with those of the neighbouring cells. */

import { cellHeight, cellWidth, middleX, middleY, rectangle } from './cell-size.ts'

/**
 * For each character from U+2500 on, how its arms are drawn that go up, right, down and left: 0 not at all, 1 light, 2 heavy, 3 double.
 * `-` and `|` are dashed and have a row below, `*` are arcs and diagonals.
 */
const armsTable = [
  '0101 0202 1010 2020 ---- ---- |||| |||| ---- ---- |||| |||| 0110 0210 0120 0220',
  '0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120',
  '2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212',
  '0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212',
  '2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 ---- ---- |||| ||||',
  '0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130',
  '3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 **** **** ****',
  '**** **** **** **** 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010',
].flatMap((row) => row.split(' '))

const dashes: ReadonlyMap<number, Dashes> = new Map<number, Dashes>([
  [0x2504, { count: 3, half: 0.5 }],
  [0x2505, { count: 3, half: 1.5 }],
  [0x2506, { count: 3, half: 0.5 }],
  [0x2507, { count: 3, half: 1.5 }],
  [0x2508, { count: 4, half: 0.5 }],
  [0x2509, { count: 4, half: 1.5 }],
  [0x250a, { count: 4, half: 0.5 }],
  [0x250b, { count: 4, half: 1.5 }],
  [0x254c, { count: 2, half: 0.5 }],
  [0x254d, { count: 2, half: 1.5 }],
  [0x254e, { count: 2, half: 0.5 }],
  [0x254f, { count: 2, half: 1.5 }],
])

interface Dashes {
  readonly count: number
  /** Half of their thickness. */
  readonly half: number
}

type Weight = 0 | 1 | 2 | 3
interface Arms {
  readonly up: Weight
  readonly right: Weight
  readonly down: Weight
  readonly left: Weight
}

const halfOf = [0, 0.5, 1.5, 1.5] as const

/** The areas of a character as the data of a path; null for what is drawn with {@link boxStroke}, and for all others. */
export function boxLines(code: number): string | null {
  const arms = armsTable[code - 0x2500]
  if (arms === undefined || arms === '****') return null
  if (arms === '----') return dashed(code, 'across')
  if (arms === '||||') return dashed(code, 'down')
  const [up = 0, right = 0, down = 0, left = 0] = arms.split('').map(Number) as Weight[]
  return armLines({ up, right, down, left })
}

/** Arcs and diagonals, as the data of a path that is stroked one pixel wide. */
export function boxStroke(code: number): string | null {
  const w = cellWidth
  const h = cellHeight
  const x = middleX
  const y = middleY
  switch (code) {
    case 0x256d:
      return `M${x} ${h}V${y + 4}Q${x} ${y} ${x + 4} ${y}H${w}`
    case 0x256e:
      return `M${x} ${h}V${y + 4}Q${x} ${y} ${x - 4} ${y}H0`
    case 0x256f:
      return `M${x} 0V${y - 4}Q${x} ${y} ${x - 4} ${y}H0`
    case 0x2570:
      return `M${x} 0V${y - 4}Q${x} ${y} ${x + 4} ${y}H${w}`
    case 0x2571:
      return `M0 ${h}L${w} 0`
    case 0x2572:
      return `M0 0L${w} ${h}`
    case 0x2573:
      return `M0 ${h}L${w} 0M0 0L${w} ${h}`
    default:
      return null
  }
}

function armLines(arms: Arms): string {
  const { up, right, down, left } = arms
  const across = { before: left, after: right }
  const along = { before: up, after: down }
  return [
    arm(up, { opposite: down, sides: across, middle: middleY, axis: middleX }, (line, reach, half) =>
      rectangle(line - half, 0, line + half, reach),
    ),
    arm(down, { opposite: up, sides: across, middle: middleY, axis: middleX }, (line, reach, half) =>
      rectangle(line - half, 2 * middleY - reach, line + half, cellHeight),
    ),
    arm(left, { opposite: right, sides: along, middle: middleX, axis: middleY }, (line, reach, half) =>
      rectangle(0, line - half, reach, line + half),
    ),
    arm(right, { opposite: left, sides: along, middle: middleX, axis: middleY }, (line, reach, half) =>
      rectangle(2 * middleX - reach, line - half, cellWidth, line + half),
    ),
  ].join('')
}

interface ArmPlace {
  readonly opposite: Weight
  /** The arms that cross it, on the side of smaller and of larger coordinates. */
  readonly sides: { readonly before: Weight; readonly after: Weight }
  /** The middle of the cell, in its direction. */
  readonly middle: number
  /** The coordinate of its own line. */
  readonly axis: number
}

/** `draw` gets the coordinate of a line, how far it reaches into the cell, as if it came from 0, and half its thickness. */
function arm(weight: Weight, place: ArmPlace, draw: (line: number, reach: number, half: number) => string): string {
  const { opposite, sides, middle, axis } = place
  if (weight === 0) return ''
  if (weight === 3)
    return [
      draw(axis - 1, middle + doubleReach(sides.before, sides.after), 0.5),
      draw(axis + 1, middle + doubleReach(sides.after, sides.before), 0.5),
    ].join('')
  return draw(axis, middle + singleReach(opposite, sides), halfOf[weight])
}

/** Returns how far one of two lines goes over the middle: to the near line of a double arm on its own side, else to the far one of the other side. */
function doubleReach(near: Weight, far: Weight): number {
  if (near === 3) return -0.5
  if (near !== 0) return halfOf[near]
  return far === 3 ? 1.5 : halfOf[far]
}

function singleReach(opposite: Weight, { before, after }: ArmPlace['sides']): number {
  // It ends at a double line that continues to both sides.
  if (before === 3 && after === 3 && opposite === 0) return -0.5
  return Math.max(halfOf[before], halfOf[after])
}

function dashed(code: number, direction: 'across' | 'down'): string {
  const { count, half } = dashes.get(code) ?? { count: 1, half: 0.5 }
  const length = direction === 'across' ? cellWidth : cellHeight
  const step = length / count
  const gap = Math.max(1, step / 3)
  return Array.from({ length: count }, (_, index) => {
    const from = index * step + gap / 2
    const to = (index + 1) * step - gap / 2
    return direction === 'across'
      ? rectangle(from, middleY - half, to, middleY + half)
      : rectangle(middleX - half, from, middleX + half, to)
  }).join('')
}
