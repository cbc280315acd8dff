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
export type { Approval } from './contracts/approvals/approval.ts'
export type { WaitFor } from './contracts/call/conditions.ts'
export type { Client, Client as LiveClient } from './contracts/client.ts'
export { type ErrorCode, isTermError, TermError } from './contracts/errors.ts'
export type { Need, NeedKind } from './contracts/needs/need.ts'
export type { PolicyProfile } from './contracts/policy/policy.ts'
export type { TurnCosts } from './contracts/ports.ts'
export type { FollowedSnapshot, FollowOptions, Frame, SessionEvent } from './contracts/session/events.ts'
export type {
  OverviewAgent,
  OverviewEvent,
  OverviewNode,
  OverviewOptions,
  OverviewRow,
} from './contracts/session/overview-event.ts'
export { probabilities, type Verdict } from './contracts/session/verdict.ts'
export type { Approve } from './faces/library/approving.ts'
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
} from './faces/library/session.ts'
export { Session } from './faces/library/session.ts'
export {
  type AgentTurn,
  type Dialog,
  type FinishedOptions,
  type ForkOptions,
  type InstructOptions,
  type SpawnAgentOptions,
  Team,
  TeamAgent,
} from './faces/library/team.ts'
export { type OpenOptions, type TerminalInfo, Terminals } from './faces/library/terminals.ts'
