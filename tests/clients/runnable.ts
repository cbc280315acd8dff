import type { AgentClient } from '../../bench/agents/clients/client.ts'

/** An agent that tests start: less than what the bench needs of one. */
export type Runnable = Pick<AgentClient, 'name' | 'prepare' | 'started' | 'firstQuestion'>
