/** A call as guards and handlers see it: its caller, the caller's options, and the options of server code. */

import type { Approval } from '../approvals/approval.ts'
import { defined } from '../collections.ts'
import type { Stop } from '../ports.ts'
import type { CallerScope } from '../scope.ts'
import type { Millis } from '../units.ts'

/** The client behind a call. The server settles it for each connection. */
export interface Caller {
  /** One per connection of a client; sessions remember who made them. */
  readonly client: string
  /** Its name for persons: `caller-name.ts`. */
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
  /** The caller's scope; absent for a caller that sees all. */
  readonly scope?: CallerScope
  /** A person types. The policy does not judge their keys. */
  readonly isPerson?: boolean
  /** The signed-in device of the page that calls. Only the page's own sockets set it. */
  readonly deviceId?: string
  /** The caller asks the person in front of it: its call is refused without a wait for an answer elsewhere. */
  readonly asksPerson?: boolean
}

/** Options that only code inside the server may set, for calls that it makes on behalf of a caller. They never cross a wire. */
interface ServerOptions {
  /** The tool or verb that was called and allowed, when this call is a part of it. */
  readonly partOf?: string
  /** Input is judged also where there is no such terminal: a refusal comes before `session_not_found`. */
  readonly isJudgedUnseen?: true
  /** Looked up on the side by a door: no rule for tools is asked. */
  readonly isAside?: true
  /** The input consists of messages, which were judged when they were sent: no person is asked again. */
  readonly isMessage?: true
  /** Called before the first byte of a text is typed; what it throws keeps it from being typed. */
  readonly beginsTyping?: () => void
  /** Epoch of the terminal's lease when the whole call began: after a change, the rest of the input is not typed. */
  readonly leaseEpoch?: number
  /** Words in the command that the user’s configuration has put there: the user has decided about them. */
  readonly configuredWords?: readonly string[]
  /** The caller puts approvals to a person of its own: it is given them, and its call is refused until there is an answer. */
  readonly approvalAsked?: (approval: Approval) => void
}

export interface CallContext extends Caller, CallOptions, ServerOptions {}

/** The options of a call that cross a wire beside its input. */
export interface WireOptions {
  /** How much output of a command one result may hold, when that is more than a model should get. */
  readonly outputBytes?: number
  /** A screen's rows keep the blanks that a program wrote at their ends: `$ ` and not `$`. */
  readonly keepsBlanks?: boolean
  /** How long a wait may last, when nothing cuts the call off; otherwise the `waitMsMax` of the limits. */
  readonly waitMsMax?: Millis
  /** Limit of typing and the wait for its effect together: Enter is pressed by then. Without it, Enter waits until the text is shown. */
  readonly typingMsMax?: Millis
}

/** The options of one call. All of them cross the wire: the signal as a cancellation, progress as messages. */
export interface CallOptions extends WireOptions {
  readonly signal?: AbortSignal
  /** Called during a wait, about every two seconds, with the time it has lasted and its limit, in ms. */
  readonly progress?: (waitedMs: Millis, totalMs: Millis) => void
}

/** Returns undefined when there are none. Other fields stay here: a caller may pass a wider object. */
export function wireOptionsOf(options: WireOptions): WireOptions | undefined {
  const { outputBytes, keepsBlanks, waitMsMax, typingMsMax } = options
  const given = defined({ outputBytes, keepsBlanks, waitMsMax, typingMsMax } satisfies Record<
    keyof WireOptions,
    unknown
  >)
  return Object.keys(given).length === 0 ? undefined : given
}

/** It is not exported, so only a cast makes a permit; `tidy` allows the cast in `server/call/pipeline.ts` alone. */
declare const issued: unique symbol

/**
 * The right of one call to type. The pipeline issues it when the verb's record says that the verb types, and after the guards have let the call
 * go on. A keyboard takes no bytes without it.
 */
export interface Permit {
  readonly [issued]: true
  readonly context: CallContext
}

/** The context that the handlers of typing verbs get. */
export interface PermittedContext extends CallContext {
  readonly permit: Permit
}
