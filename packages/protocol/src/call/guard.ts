/** What stands between a call and its handler. */

import type { ToolDescription } from '../mcp/tool.ts'
import type { ParsedVerbInput, VerbName } from '../verbs/verbs.ts'
import type { CallContext } from './call-context.ts'

export interface Call {
  /** `tool`: one that a client calls, before the verbs that it becomes. */
  readonly name: VerbName | 'tool' | 'follow' | 'watch' | 'status' | 'stop'
  /** The parsed input, with defaults. */
  readonly input: unknown
  readonly context: CallContext
  /** The terminal that a verb types into: as its input names it, or the terminal of the question. */
  readonly typesInto?: string | undefined
}

/** The terminals that a call names, or types into. */
export function terminalsOf({ input, typesInto }: Pick<Call, 'input' | 'typesInto'>): readonly string[] {
  const { terminalId, terminalIds } = input as NamedTerminals
  const named = terminalId === undefined ? [] : [terminalId]
  if (typeof terminalIds === 'string') named.push(terminalIds)
  else if (terminalIds !== undefined) named.push(...terminalIds)
  if (typesInto !== undefined && !named.includes(typesInto)) named.push(typesInto)
  return named
}

interface NamedTerminals {
  readonly terminalId?: string
  readonly terminalIds?: string | readonly string[]
}

/** Returns to let the call go on, throws a {@link TermError} to refuse it; while it waits, so does the call. */
export type Guard = (call: Call) => void | Promise<void>

/** What is known of a tool before it is called. */
export interface ToolCallInput {
  readonly tool: string
  /** The verbs that each call of it needs. */
  readonly becomes: readonly VerbName[]
}

export function toolCallInput({ name, becomes = [] }: Pick<ToolDescription, 'name' | 'becomes'>): ToolCallInput {
  return { tool: name, becomes }
}

export function isToolCall(call: Call): call is Call & { readonly name: 'tool'; readonly input: ToolCallInput } {
  return call.name === 'tool'
}

/** Its input is what the verb’s schema has made of it: a call is parsed before any guard sees it. */
export function isOfVerb<Name extends VerbName>(
  call: Call,
  name: Name,
): call is Call & { readonly name: Name; readonly input: ParsedVerbInput<Name> } {
  return call.name === name
}
