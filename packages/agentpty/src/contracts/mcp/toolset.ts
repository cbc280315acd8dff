/**
 * A set of tools that a client may be given: our own, or a door that speaks like another system.
 *
 * A door keeps what the other system kept between calls (a mark of what was read last) and maps its tools onto verbs.
 * One instance serves every caller of a daemon; whose call it is comes with each.
 */

import type { Client } from '../client.ts'
import type { ToolAnswer, ToolDescription, ToolsetName } from './tool.ts'

export interface ToolCall {
  readonly client: Client
  /** Who calls; the same in all calls of a connection. */
  readonly caller: string
  /** Structured results go to a model too, so they shall say no more than the text. */
  readonly isForModel: boolean
  readonly signal: AbortSignal
  /** As in `CallContext`. */
  readonly waitMsMax?: number
  /** Called while a wait goes on, with how long it has lasted and may last, in ms. */
  readonly progress?: (waitedMs: number, totalMs: number) => void
}

export interface Toolset {
  readonly name: ToolsetName
  /** What a model reads once, before it sees the tools. */
  readonly instructions: string
  readonly tools: readonly ToolDescription[]
  /** Its refusals are errors of the protocol, as they were there. Elsewhere they are results, which every client shows its model. */
  readonly refusesByProtocol?: true
  /** What was answered there for a tool that there is not; without it, our own error of the protocol is. */
  readonly answerUnknown?: (tool: string) => ToolAnswer
  /** Errors: any {@link TermError}, which the caller gets as one. */
  call(tool: string, input: unknown, call: ToolCall): Promise<ToolAnswer>
}
