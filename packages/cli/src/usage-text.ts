/** What agents have used, in a few words for people. */

import type { Usage } from '@agentpty/protocol/agents'

/** @example usageText({ input: 48_210, output: 904, cached: 0, costUsd: 0.412, models: [] }) // '48k in, 904 out, $0.41' */
export function usageText({ input, output, costUsd }: Usage): string {
  const tokens = `${shortNumber(input)} in, ${shortNumber(output)} out`
  return costUsd === null ? tokens : `${tokens}, $${costUsd.toFixed(2)}`
}

const units = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** In the largest unit of which there is one: `904`, `4.8k`, `48k`, `1.2M`. */
function shortNumber(number: number): string {
  const unit = units.find(([size]) => number >= size)
  if (unit === undefined) return String(number)
  const [size, name] = unit
  const tenths = Math.floor((number / size) * 10) / 10
  return `${tenths < 10 ? tenths : Math.floor(tenths)}${name}`
}
