/** The invariants of every run, and the error that names the violated one. */

export const invariants = {
  grow: 'offsets only grow',
  meaning: 'an offset keeps its meaning',
  visible: 'nothing past parsedTo is visible',
  since: 'since is taken before the write',
  chain: 'chaining next visits every retained byte once',
  evicted: 'eviction is reported exactly',
  settles: 'a wait settles, once',
  outcome: 'an outcome is true',
  injects: 'nothing is typed but what a caller typed and what the terminal answers',
  answers: 'a question of a program is answered once',
  exit: 'the exit comes after the last byte',
  restart: 'a new engine goes on where the old one was',
  messages: 'a message is typed or taken, and neither twice',
  error: 'a call fails only as its errors say',
  flow: 'the host gets an acknowledgement of what has been dealt with',
  left: 'nothing is left behind',
} as const

export type Invariant = keyof typeof invariants

export class Broken extends Error {
  readonly invariant: Invariant

  constructor(invariant: Invariant, message: string) {
    super(`${invariants[invariant]}: ${message}`)
    this.invariant = invariant
  }
}

export function must(holds: boolean, invariant: Invariant, message: () => string): void {
  if (!holds) throw new Broken(invariant, message())
}
