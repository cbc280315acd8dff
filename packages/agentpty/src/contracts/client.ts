/** The one port every face speaks through: the engine in this process, or a daemon behind a socket. */

import type { CallContext } from './call/operation.ts'
import type { OperationInput, OperationName, OperationOutput } from './call/operations.ts'
import type { FollowOptions, SessionEvent } from './session/events.ts'

export interface Client {
  /** Errors: any {@link TermError} of the verb; `daemon_gone` when the connection ended under the call. */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<OperationOutput<Name>>
  close(): Promise<void>
}

/** A client that can also tell what happens while it happens. */
export interface LiveClient extends Client {
  /** Errors: `session_not_found`, `limit_reached`; `daemon_gone` when the connection ended. */
  follow(terminalId: string, options: FollowOptions): AsyncIterable<SessionEvent>
}
