import type { VerbOutput } from '../verbs/verbs.ts'

type Seen = VerbOutput<'awaitAgents'>['agents'][number]
type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'needs'>

/** The agent has done what it was instructed to do, or has ended. An agent in a dialog waits, but has not finished. */
export function hasFinished({ state, needs }: Turn): boolean {
  return state === 'exited' || (state === 'ready' && needs !== 'answer')
}

/** Its program has ended by a signal, or with an exit code other than 0. */
export function hasCrashed({ state, exitCode, signal }: Partial<Seen>): boolean {
  return state === 'exited' && (exitCode !== 0 || signal !== undefined)
}
