/**
 * The library: terminals for programs.
 *
 * `openSession` opens one with a server of its own that ends with it; `openTerminals` is such a server for many. `connect`
 * shares those of the daemon with agents and people, and starts it when there is none. `openTeam` starts agents in terminals.
 *
 * @example
 * ```ts
 * await using python = await openSession({ command: ['python3', '-q'] })
 * const { output } = await python.send('6 * 7')
 * ```
 */

export type { Client, Client as LiveClient, TurnCosts } from '@agentpty/protocol'
export { type ErrorCode, isTermError, TermError } from '@agentpty/protocol'
export type { Approval } from '@agentpty/protocol/approvals'
export type { WaitFor } from '@agentpty/protocol/call'
export type { Need, NeedKind } from '@agentpty/protocol/needs'
export type { PolicyProfile } from '@agentpty/protocol/policy'
export type {
  FollowedSnapshot,
  FollowOptions,
  Frame,
  OverviewAgent,
  OverviewEvent,
  OverviewNode,
  OverviewOptions,
  OverviewRow,
  SessionEvent,
} from '@agentpty/protocol/session'
export { probabilities, type Verdict } from '@agentpty/protocol/session'
export {
  connect,
  type Engine,
  openEngine,
  openSession,
  openTeam,
  openTerminals,
  type ServerOptions,
  type TeamOptions,
} from './compose/library.ts'
export type { Approve } from './library/approving.ts'
export type {
  CommandResult,
  EventOptions,
  KeysPressed,
  Observation,
  ReadOptions,
  RunOptions,
  ScreenOptions,
  ScreenView,
  SendOptions,
  TerminalEvent,
  WaitOptions,
} from './library/session.ts'
export { Session } from './library/session.ts'
export {
  type AgentTurn,
  type Dialog,
  type FinishedOptions,
  type ForkOptions,
  type InstructOptions,
  type SpawnAgentOptions,
  Team,
  TeamAgent,
} from './library/team.ts'
export { type OpenOptions, type TerminalInfo, Terminals } from './library/terminals.ts'
