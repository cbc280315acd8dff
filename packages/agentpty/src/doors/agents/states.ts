import type { VerbOutput } from '../../contracts/verbs/index.ts'

export type Turn = Pick<
  VerbOutput<'awaitAgents'>['agents'][number],
  'state' | 'needs' | 'question' | 'exitCode' | 'signal'
>

/** `ended`: its program has; it is done only if that was with 0, and then it is `idle`, as one that has finished. */
export function stateOf({ state, needs, exitCode, signal }: Turn): 'idle' | 'asks' | 'working' | 'ended' {
  if (state === 'exited') return exitCode === 0 && signal === undefined ? 'idle' : 'ended'
  if (needs === 'answer') return 'asks'
  return state === 'ready' ? 'idle' : 'working'
}
