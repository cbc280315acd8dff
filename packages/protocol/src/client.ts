/**
 * The one port every face speaks through: the engine in this process, or a daemon behind a wire.
 *
 * Every call of it passes the same guards: verbs, streams, tools of doors, and calls about the server itself.
 */

import type { CallOptions } from './call/call-context.ts'
import type { ToolAnswer, ToolsetName } from './mcp/tool.ts'
import type { FollowOptions, SessionEvent, TerminalsEvent, WatchOptions } from './session/events.ts'
import type { OverviewEvent, OverviewOptions } from './session/overview-event.ts'
import type { VerbInput, VerbName, VerbOutput } from './verbs/verbs.ts'
import type { DaemonStatus } from './wire/handshake.ts'
import type { JsonObject } from './wire/line-wire.ts'

export interface Client {
  /** Errors: any {@link TermError} of the verb; `daemon_gone` when the connection ended during the call. */
  call<Name extends VerbName>(name: Name, input: VerbInput<Name>, options?: CallOptions): Promise<VerbOutput<Name>>
  /** Follows the events of one terminal. Errors: `session_not_found`, `limit_reached`; `daemon_gone` when the connection ended. */
  follow(terminalId: string, options: FollowOptions): AsyncIterable<SessionEvent>
  /** All terminals at a glance and what needs a person: first all, then what changes, gathered for a moment. Errors: as `follow`. */
  watch(options: OverviewOptions): AsyncIterable<OverviewEvent>
  /** Follows the list of terminals: first the current one, then each time a terminal is added, removed or renamed. Errors: as `follow`. */
  watch(options?: WatchOptions): AsyncIterable<TerminalsEvent>
  readonly tools: Tools
  readonly control: Control
  close(): Promise<void>
}

/** The toolsets of doors, for programs that speak as their MCP clients do. */
export interface Tools {
  /** Errors: `invalid_input` for an unknown toolset or tool; any of the tool. */
  call(
    toolset: ToolsetName,
    tool: string,
    input: JsonObject,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<ToolAnswer>
}

/** Calls about the server itself. */
export interface Control {
  status(): Promise<DaemonStatus>
  /** Ends the daemon once the answer has been sent; with `all` every terminal and ptyhost as well. */
  stop(options: { readonly all: boolean }): Promise<void>
}
