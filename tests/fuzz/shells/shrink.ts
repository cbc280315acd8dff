/** Reduces a violating case: drops steps while it still violates. */

import type { Case, Outcome, Step } from './case.ts'

export type Run = (tested: Case) => Promise<Outcome>

/** A race may need several runs to reproduce. */
const tries = 2
const runsMax = 120

export interface Shrunk {
  readonly tested: Case
  readonly outcome: Outcome
}

export async function shrink(first: Shrunk, run: Run): Promise<Shrunk> {
  let best = first
  let runs = 0
  const violates = async (steps: readonly Step[]): Promise<boolean> => {
    const tested = { ...first.tested, steps: [...steps] }
    for (let at = 0; at < tries && runs < runsMax; at++) {
      runs++
      const outcome = await run(tested)
      if (outcome.violations.length === 0) continue
      best = { tested, outcome }
      return true
    }
    return false
  }
  for (let size = Math.ceil(first.tested.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: steps after the violation are dropped first.
    for (let from = best.tested.steps.length - size; from > -size; from -= size) {
      const { steps } = best.tested
      const rest = [...steps.slice(0, Math.max(from, 0)), ...steps.slice(Math.max(from + size, 0))]
      if (rest.length < steps.length && rest.length > 0) await violates(rest)
    }
  }
  return best
}
