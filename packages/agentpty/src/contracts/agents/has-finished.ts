import type { VerbOutput } from '../verbs/index.ts'

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'needs'>

/** The agent has done what it was instructed to do, or has ended. An agent in a dialog waits, but has not finished. */
export function hasFinished({ state, needs }: Turn): boolean {
  return state === 'exited' || (state === 'ready' && needs !== 'answer')
}
