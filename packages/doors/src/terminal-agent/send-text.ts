/** The tools that type: as a command, as keys, and like a person at the keyboard. */

import { defined } from '@agentpty/protocol'
import type { JsonObject } from '@agentpty/protocol/wire'
import { aside, withLastBlanks } from '../parts/aside.ts'
import { callVerb, type DoorCall } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'

type Send = TerminalAgentInput<'terminal_send'>

export async function send(input: Send, call: DoorCall): Promise<JsonObject> {
  const { terminalId, text, waitTimeoutMs } = input
  const newline = input.newline ?? input.addNewline ?? true
  const kindBefore = await kindOfInput(call, terminalId)
  const typed = { terminalId, text: newline ? withoutEnter(text) : text, newline }
  const sent = await callVerb(call, 'send', defined({ ...typed, waitFor: awaited(input), waitTimeoutMs }))
  return defined({
    sent: true,
    output: sent.output === '' ? '' : await withLastBlanks(call.client, terminalId, { ...sent, since: 0 }),
    cursor: sent.cursor,
    usedShellIntegration: newline && kindBefore === 'shell',
    timedOut: sent.outcome === 'timeout' ? true : undefined,
    missedBytes: sent.missedBytes,
    invalidBytes: sent.invalidBytes,
    note: sent.note,
  })
}

/** In that system a line feed at the end of the text is the Enter that is typed after it. */
function withoutEnter(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/** The echo of the input does not count as output: something else must have been printed. */
function awaited({ waitForString, waitForOutput }: Send) {
  if (waitForString !== undefined) return waitForString === '' ? 'none' : { text: waitForString }
  return waitForOutput ? { pattern: '\\S' } : 'none'
}

async function kindOfInput(call: DoorCall, terminalId: string) {
  const looking = { ...call, client: aside(call.client) }
  const { terminals } = await callVerb(looking, 'wait', { terminalIds: [terminalId], waitFor: 'none' })
  return terminals[0]?.kind
}

export async function sendKeys(
  { terminalId, keys }: TerminalAgentInput<'terminal_send_keys'>,
  call: DoorCall,
): Promise<JsonObject> {
  const sent = await callVerb(call, 'sendKeys', { terminalId, keys, waitFor: 'none' })
  return defined({ sent: true, keys: sent.keys, sequences: sent.sequences, note: sent.note })
}

export async function type(
  { terminalId, text, submit = false }: TerminalAgentInput<'terminal_type'>,
  call: DoorCall,
): Promise<JsonObject> {
  const { note } = await callVerb(call, 'send', {
    terminalId,
    text: submit ? withoutEnter(text) : text,
    newline: submit,
    waitFor: 'none',
  })
  return defined({ typed: true, submitted: submit, note })
}
