/**
 * `agentpty report`: an agent's hook reports the state of its agent in the terminal the agent runs in. The report is
 * the Program Status Protocol, OSC 7501, which other terminals understand too.
 */

import { TermError } from '@agentpty/protocol'

const states = ['idle', 'working', 'blocked', 'done', 'error', 'clear'] as const

/** A message longer than this would void the report. */
const messageBytesMax = 2_048
const controls = /[\x00-\x1f\x7f-\x9f]+/g

/** Errors: `invalid_input` for an unknown state. */
export function formatReport(state: string, message: string | undefined): string {
  if (!states.some((one) => one === state))
    throw new TermError('invalid_input', `"${state}" is no state.`, `Use one of: ${states.join(', ')}`)
  const text = encode(message ?? '')
  return `\x1b]7501;state=${state}${text === '' ? '' : `:msg=${text}`}\x1b\\`
}

/** Cut at a character's end; line breaks and the like become blanks. */
function encode(message: string): string {
  const bytes = Buffer.from(message.replaceAll(controls, ' ').trim()).subarray(0, messageBytesMax)
  return Buffer.from(bytes.toString('utf8').replace(/\ufffd+$/, '')).toString('base64')
}
