/** The durations of a soak's calls, by verb, without calls during which the daemon was killed. */

export class Latency {
  readonly #byVerb = new Map<string, number[]>()

  note(verb: string, ms: number): void {
    const all = this.#byVerb.get(verb) ?? []
    this.#byVerb.set(verb, all)
    all.push(ms)
  }

  /** A line for each verb, in milliseconds. */
  table(): string {
    return [...this.#byVerb].map(([verb, all]) => line(verb, all)).join('')
  }
}

function line(verb: string, all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)} ms`
  return `${verb}: ${all.length} calls, p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)}\n`
}
