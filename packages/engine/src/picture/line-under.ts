/** The kinds of lines under text. Neighbouring cells join. */

import type { Underline } from '../screen/cell-picture.ts'
import { rectangle } from './path.ts'

interface Span {
  readonly from: number
  readonly to: number
  readonly color: string
}

const top = 15

export function lineUnder(kind: Exclude<Underline, 'none'>, { from, to, color }: Span): string {
  switch (kind) {
    case 'single':
      return `<path fill="${color}" d="${rectangle(from, top, to, top + 1)}"/>`
    case 'double':
      return `<path fill="${color}" d="${rectangle(from, top, to, top + 1)}${rectangle(from, top + 2, to, top + 3)}"/>`
    case 'curly':
      return `<path fill="none" stroke="${color}" d="${waves(from, to)}"/>`
    case 'dotted':
      return stroked({ from, to, color }, '1.5 1.5')
    case 'dashed':
      return stroked({ from, to, color }, '3 1.5')
  }
}

/** One wave a cell. */
function waves(from: number, to: number): string {
  const [quarter, half] = [2.25, 4.5]
  const count = Math.round((to - from) / (2 * half))
  return `M${from} ${top + 1}${`q${quarter} -3 ${half} 0q${quarter} 3 ${half} 0`.repeat(count)}`
}

function stroked({ from, to, color }: Span, dashes: string): string {
  return `<path fill="none" stroke="${color}" stroke-dasharray="${dashes}" d="M${from} ${top + 0.5}H${to}"/>`
}
