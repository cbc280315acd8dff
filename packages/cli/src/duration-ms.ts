/** Times as people give them: `30m`, `2h`, `7d`. */

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** In milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * units[unit as keyof typeof units]
}
