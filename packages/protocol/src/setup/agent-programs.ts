/** What `agentpty agents` finds on a machine of the agents that can be started by name. */

import type { PermissionMode } from '../agents/adapter.ts'

export interface AgentProgram {
  readonly name: string
  readonly title: string
  /** What it is for, as its user says. */
  readonly description: string | null
  readonly command: readonly string[]
  /** Where its program is; null where it is not on the search path. */
  readonly path: string | null
  /** As the program says; null when it is not there, is not asked, or does not say. */
  readonly version: string | null
  /** Those that may be chosen; any where there are none. */
  readonly models: readonly string[]
  readonly defaultModel: string | null
  readonly permissions: PermissionMode
  /** Its entry in the configuration, as file and line; null for an agent that is as it comes. */
  readonly origin: string | null
  /** What keeps it from being started as it is set; null also for one that is known and not installed. */
  readonly problem: { readonly what: string; readonly advice: string } | null
}

/** One for each agent, in the order of their table. All programs are asked at once; none of them rejects. */
export type FindAgents = () => Promise<readonly Promise<AgentProgram>[]>
