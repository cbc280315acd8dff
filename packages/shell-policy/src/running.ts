/** Functions and scripts that are at work, to know when one starts itself. */

export interface Start {
  readonly name: string
  /** How many levels of it run in the background or in a pipeline. */
  readonly detached: number
}

export class Running {
  readonly #starts: Start[] = []

  has(name: string): boolean {
    return this.#starts.some((one) => one.name === name)
  }

  /** Null for one that is at work already. Where nobody waits for it then, it never ends: it `forks`. */
  start<Result>(start: Start, step: () => Result, forks: () => void): Result | null {
    const before = this.#starts.find(({ name }) => name === start.name)
    if (before !== undefined) {
      if (start.detached > before.detached) forks()
      return null
    }
    this.#starts.push(start)
    const result = step()
    this.#starts.pop()
    return result
  }
}
