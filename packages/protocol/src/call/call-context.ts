/** A call as guards and handlers see it: its caller, the caller's options, and the options of server code. */

import type { Approval } from '../approvals/approval.ts'
import type { Stop } from '../ports.ts'
import type { CallerScope } from '../scope/scope.ts'
import type { CallOptions } from './call-options.ts'

/** The client behind a call. The server settles it for each connection. */
export interface Caller {
  /** One per connection of a client; sessions remember who made them. */
  readonly client: string
  /** What persons know it by: `caller-name.ts`. */
  readonly program?: string
  /** It speaks MCP and its end is noticed: the terminals that it opens are marked then. */
  readonly isMcp?: true
  /** Where a terminal of another client has the name of a new terminal, the new one gets it with a number: `server-2`. */
  readonly numbersNames?: true
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Null when the caller can take another large answer; else it resolves when it can, or when the signal aborts. */
  readonly room?: (signal: AbortSignal) => Promise<void> | null
  /** Runs the callback when the connection closes, or immediately if it has closed. Absent when there is no connection. */
  readonly onGone?: (call: () => void) => Stop
  /** What it sees at most; absent for a caller that sees all. */
  readonly scope?: CallerScope
  /** A person types. The policy does not judge their keys. */
  readonly isPerson?: boolean
  /** The caller asks the person in front of it: its call is refused without a wait for an answer elsewhere. */
  readonly asksPerson?: boolean
}

/** Options that only code inside the server may set, for calls that it makes on behalf of a caller. They never cross a wire. */
export interface ServerOptions {
  /** The tool or verb that was called and let through, when this call is a part of what it does. */
  readonly partOf?: string
  /** What it would type is judged also where there is no such terminal: its refusal comes before `session_not_found`. */
  readonly isJudgedUnseen?: true
  /** Looked up on the side by a door: no rule for tools is asked. */
  readonly isAside?: true
  /** What is typed are messages, which were judged when they were put into the inbox: no person is asked again. */
  readonly isMessage?: true
  /** Called before the first byte of a text is typed; what it throws keeps it from being typed. */
  readonly beginsTyping?: () => void
  /** Of the terminal's lease, when the call began of which this is a part: what was not typed by then is not typed after a change. */
  readonly leaseEpoch?: number
  /** Words in the command that the user’s configuration has put there: the user has decided about them. */
  readonly configuredWords?: readonly string[]
  /** The caller puts approvals to a person of its own: it is given them, and its call is refused until there is an answer. */
  readonly approvalAsked?: (approval: Approval) => void
}

export interface CallContext extends Caller, CallOptions, ServerOptions {}
