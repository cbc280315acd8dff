/**
 * A set of tools that a client may be given: our own, or a door that speaks like another system.
 *
 * A door keeps what the other system kept between calls (a mark of what was read last) and maps its tools onto verbs.
 * One instance serves every caller of a daemon; whose call it is comes with each.
 */

import type { Client } from '../client.ts'
import { TermError } from '../errors.ts'
import type { JsonObject } from '../wire/json-lines.ts'

export const toolsetNames = [
  'terminal',
  'terminal-agent',
  'deep-terminal',
  'terminalcp',
  'termtile',
  'tty-use',
] as const
export type ToolsetName = (typeof toolsetNames)[number]

export interface ToolDescription {
  readonly name: string
  readonly title?: string
  /** What it does and when to use it. */
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject & { readonly properties?: JsonObject; readonly required?: readonly string[] }
  /** JSON Schema of the structured result. */
  readonly outputSchema?: JsonObject
  readonly _meta?: JsonObject
  readonly annotations?: {
    readonly title?: string
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
  }
}

export interface ToolAnswer {
  /** What a model reads. */
  readonly text: string
  /** The same for programs. */
  readonly structured?: JsonObject
  readonly isError?: boolean
}

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
  /** Told to a model once, before it sees the tools. */
  readonly instructions: string
  readonly tools: readonly ToolDescription[]
  /** Its refusals are errors of the protocol, as they were there. Elsewhere they are results, which every client shows its model. */
  readonly refusesByProtocol?: true
  /** What was answered there for a tool that there is not; without it, our own error of the protocol is. */
  readonly answerUnknown?: (tool: string) => ToolAnswer
  /** Errors: any {@link TermError}, which the caller is told as one. */
  call(tool: string, input: unknown, call: ToolCall): Promise<ToolAnswer>
}

/** Names as they are given on a command line, `a,b`. Errors: `invalid_input`. */
export function parseToolsets(text: string): readonly ToolsetName[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const known = names.filter((name): name is ToolsetName => toolsetNames.some((one) => one === name))
  const unknown = names.find((name) => !toolsetNames.some((one) => one === name))
  if (unknown === undefined && known.length > 0) return known
  throw new TermError(
    'invalid_input',
    unknown === undefined ? 'No toolset is named.' : `There is no toolset "${unknown}".`,
    `Choose from: ${toolsetNames.join(', ')}.`,
  )
}
