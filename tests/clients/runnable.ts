import type { AgentClient } from '../../bench/agents/clients/client.ts'

/** An agent that tests start: a subset of what the bench needs. */
export type Runnable = Pick<AgentClient, 'name' | 'prepare' | 'started' | 'firstQuestion'>
