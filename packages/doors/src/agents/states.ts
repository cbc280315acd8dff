import type { VerbOutput } from '@agentpty/protocol/verbs'

type Seen = VerbOutput<'awaitAgents'>['agents'][number]
export type Turn = Pick<Seen, 'state' | 'needs' | 'question' | 'exitCode' | 'signal'> & {
  readonly outcome?: string | undefined
}

/**
 * `ended`: its program has; it is done only if that was with 0, and then it is `idle`, as one that has finished. Who has given its answer
 * has finished, whatever it still draws.
 */
export function stateOf({ state, needs, exitCode, signal, outcome }: Turn): 'idle' | 'asks' | 'working' | 'ended' {
  if (state === 'exited') return exitCode === 0 && signal === undefined ? 'idle' : 'ended'
  if (needs === 'answer') return 'asks'
  return state === 'ready' || outcome === 'finished' ? 'idle' : 'working'
}
