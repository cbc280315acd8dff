/** Code that the tools of this door share: their call, the door's memory of a terminal, and calls of verbs. */

import { type BoundedMap, type Clock, defined, outputBytesMax } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { ToolCall } from '@agentpty/protocol/mcp'
import type { ListedTerminal, VerbInput, VerbName, VerbOutput } from '@agentpty/protocol/verbs'

/** Parameters a terminal was opened with that no verb returns. */
export interface Opened {
  /** For display: any text, and several terminals may have the same. */
  readonly name: string
  readonly mode: 'normal' | 'pty'
  /** `bash`, `zsh`, … */
  readonly shellType: string
}

export interface DoorCall extends ToolCall {
  readonly clock: Clock
  readonly opened: BoundedMap<string, Opened>
}

export function callVerb<Name extends VerbName>(
  { client, signal, progress }: DoorCall,
  name: Name,
  input: VerbInput<Name>,
): Promise<VerbOutput<Name>> {
  const context: Partial<CallContext> = defined({ signal, outputBytes: outputBytesMax, keepsBlanks: true, progress })
  return client.call(name, input, context)
}

export async function listTerminals(call: DoorCall): Promise<readonly ListedTerminal[]> {
  return (await callVerb(call, 'list', {})).terminals
}
