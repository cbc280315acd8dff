/**
 * A set of tools that a client may be given: our own, or a door that speaks like another system.
 *
 * A door keeps the state that the other system kept between calls (such as what was read last) and maps its tools onto
 * verbs. One instance serves every caller of a daemon; each call names its caller.
 */

import type { Origin } from '../call/call-options.ts'
import type { TermError } from '../errors.ts'
import type { Stop } from '../ports.ts'
import type { ServerClient } from '../server-client.ts'
import type { ToolAnswer, ToolDescription, ToolsetName } from './tool.ts'

export interface ToolCall {
  readonly client: ServerClient
  /** The caller; the same in all calls of a connection. */
  readonly caller: string
  /** The caller's identity after the call is over. */
  readonly origin: Origin
  /** Structured results reach a model too, so they must not repeat more than the text. */
  readonly isForModel: boolean
  readonly signal: AbortSignal
  /** The same as in `CallContext`. */
  readonly waitMsMax?: number
  /** Called during a wait, with the time it has lasted and its limit, in ms. */
  readonly progress?: (waitedMs: number, totalMs: number) => void
}

export interface Toolset {
  readonly name: ToolsetName
  /** Instructions that a model reads once, before it sees the tools. */
  readonly instructions: string
  readonly tools: readonly ToolDescription[]
  /** Its errors are errors of MCP, as in the other system. Elsewhere they are results, which every client shows its model. */
  readonly refusesByProtocol?: true
  /** The answer of the other system for an unknown tool; without it, our own error of the protocol. */
  readonly answerUnknown?: (tool: string) => ToolAnswer
  /** The answer in the words of the other system for a call that was refused before it began; without it, our own error. */
  readonly answerRefused?: (error: TermError) => ToolAnswer
  /** Errors: any {@link TermError}, which the caller gets as an error. */
  call(tool: string, input: unknown, call: ToolCall): Promise<ToolAnswer>
}

/** The rules of the policy for tools, for one caller. */
export interface ToolRules {
  /** Whether no rule keeps it from the caller now. */
  allows(tool: ToolDescription): boolean
  /** A call of it is about to begin, by a client that calls itself `program`. Errors: `denied`. */
  begin(tool: ToolDescription, program: string | undefined): Promise<void>
  /** Calls each time rules have changed, until it is stopped. */
  watch(changed: () => void): Stop
}
