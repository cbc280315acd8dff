import type { VerbOutput } from '../verbs/index.ts'

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'needs'>

/** The agent has done what it was instructed to do, or has ended. A dialog waits for somebody, but nothing is finished. */
export function hasFinished({ state, needs }: Turn): boolean {
  return state === 'exited' || (state === 'ready' && needs !== 'answer')
}
