/** A scripted model that plays a task by its solution: each key becomes a call of the agent's tool. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readActions, translateKeystrokes } from '@agentpty/gym/testing'
import type { Action } from '@agentpty/protocol/gym'

interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Returns the script's turn for the task in this folder. */
export function solving(folder: string) {
  const [begins = ''] = readFileSync(join(folder, 'instruction.md'), 'utf8').split('\n')
  const actions = readActions(folder, 'solution/keys.jsonl') ?? []
  const answer = { text: '{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\nDone.\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}' }
  return { match: begins.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), steps: [...actions.flatMap(callsOf), answer] }
}

/** The terminal named in the instruction. */
const terminalIn = (name: string | undefined) =>
  name === undefined ? '{{prompt:/main terminal (term-\\d+)/}}' : `{{prompt:/\`${name}\` is (term-\\d+)/}}`

function callsOf(action: Action): readonly ToolCall[] {
  if (typeof action === 'string') return [sent(action, terminalIn(undefined), true)]
  if ('keystrokes' in action) return typed(action.keystrokes)
  if (action.type === 'finish') return []
  const terminalId = terminalIn(action.terminal)
  switch (action.type) {
    case 'send':
      return [sent(action.text, terminalId, action.enter ?? false)]
    case 'paste':
      return [sent(action.text, terminalId, false)]
    case 'keys':
      return [{ tool: 'agentpty/terminal_send_keys', args: { terminalId, keys: action.keys } }]
    case 'wait':
      return [
        {
          tool: 'agentpty/terminal_wait',
          args: { terminalIds: [terminalId], since: [0], waitFor: action.until, waitTimeoutMs: action.ms },
        },
      ]
    case 'resize':
      return [{ tool: 'agentpty/terminal_resize', args: { terminalId, rows: action.rows, cols: action.cols } }]
    case 'signal':
      throw new Error('no tool sends signals')
  }
}

const sent = (text: string, terminalId: string, newline: boolean): ToolCall => ({
  tool: 'agentpty/terminal_send',
  args: { terminalId, text, newline },
})

/** Sends keys without waiting for a turn, as the solution needs it. */
function typed(keystrokes: string): readonly ToolCall[] {
  const terminalId = terminalIn(undefined)
  const parsed = translateKeystrokes(keystrokes)
  const calls =
    parsed.kind === 'key'
      ? [{ tool: 'agentpty/terminal_send_keys', args: { terminalId, keys: [parsed.key] } }]
      : parsed.kind === 'text'
        ? linesOf(parsed.text).map(({ line, enters }) => sent(line, terminalId, enters))
        : []
  return calls.map(({ tool, args }) => ({ tool, args: { ...args, waitFor: 'none' } }))
}

function linesOf(text: string): readonly { readonly line: string; readonly enters: boolean }[] {
  const lines = text.split('\n')
  return lines
    .map((line, at) => ({ line, enters: at < lines.length - 1 }))
    .filter(({ line, enters }) => line !== '' || enters)
}
