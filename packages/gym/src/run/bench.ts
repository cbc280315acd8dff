/** How fast environments are on this machine: a step, a reset, and steps of many together. */

import { type Client, type Clock, TermError } from '@agentpty/protocol'
import type { BenchRow, EnvironmentInput, ResetResult } from '@agentpty/protocol/gym'
import { Inside } from './inside.ts'

const stepsEach = 200
const resetsEach = 30
const together = 16
const roundsTogether = 20

interface Stepped {
  readonly what: string
  readonly spec: EnvironmentInput
  readonly action: string
}

const stepped: readonly Stepped[] = [
  { what: 'a step in bash', spec: {}, action: 'echo 1' },
  { what: 'a step in the REPL of Python', spec: { program: ['python3', '-q'] }, action: '1 + 1' },
]

/** Errors: those of making an environment. */
export async function bench(clock: Clock, client: Client, tell: (row: BenchRow) => void): Promise<void> {
  for (const { what, spec, action } of stepped) {
    const times = await within(client, [spec], async ([inside]) =>
      timesOf(clock, stepsEach, () => stepOf(inside, action)),
    )
    tell(rowOf(what, times))
  }
  tell(
    rowOf(
      'a reset, with its prompt',
      await within(client, [{}], async ([inside]) => timesOf(clock, resetsEach, () => resetOf(inside))),
    ),
  )
  const specs = Array.from({ length: together }, () => ({}))
  const perSecond = await within(client, specs, async (all) => {
    const begun = clock.now()
    for (let round = 0; round < roundsTogether; round++) await Promise.all(all.map((inside) => inside.step('echo 1')))
    return (together * roundsTogether * 1_000) / (clock.now() - begun)
  })
  tell({ what: `steps of ${together} together`, count: together * roundsTogether, p50Ms: null, p95Ms: null, perSecond })
}

const stepOf = (inside: Inside | undefined, action: string): Promise<unknown> =>
  inside?.step(action) ?? Promise.resolve()
const resetOf = async (inside: Inside | undefined): Promise<void> => {
  if (inside !== undefined) checked(await inside.reset())
}

function checked({ info }: ResetResult): void {
  if (info.infraError !== undefined) throw new TermError('environment', info.infraError.message, 'See: agentpty doctor')
}

/** They are closed, whatever happens. */
async function within<Result>(
  client: Client,
  specs: readonly EnvironmentInput[],
  use: (all: readonly Inside[]) => Promise<Result>,
): Promise<Result> {
  const all: Inside[] = []
  try {
    for (const spec of specs) all.push(await Inside.make(client, spec))
    await Promise.all(all.map(resetOf))
    return await use(all)
  } finally {
    await Promise.all(all.map((inside) => inside.close()))
  }
}

async function timesOf(clock: Clock, count: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let number = 0; number < count; number++) {
    const begun = clock.now()
    await act()
    times.push(clock.now() - begun)
  }
  return times.toSorted((a, b) => a - b)
}

function rowOf(what: string, sorted: readonly number[]): BenchRow {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { what, count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), perSecond: null }
}
