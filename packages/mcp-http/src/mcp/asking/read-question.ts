/** What a program asks at this moment, as a person at its terminal would read it. */

import { type ServerClient, TermError } from '@agentpty/protocol'
import type { AskedByProgram } from '@agentpty/protocol/questions'

const questionCharactersMax = 500

/** Input there is run as a command. */
const commandKinds: ReadonlySet<string> = new Set(['shell', 'continuation'])

/** Errors: `session_not_found`, `not_asking`. */
export async function readQuestion(client: ServerClient, terminalId: string): Promise<AskedByProgram> {
  const cursor = await cursorOf(client, terminalId)
  const { screen, cursorRow, state, kind, question } = await client.call('screenshot', { terminalId, format: 'plain' })
  if (state !== 'ready') {
    const hint = 'Wait with terminal_wait until it is ready.'
    throw new TermError('not_asking', `${terminalId} is ${state}: nothing is asked.`, hint)
  }
  if (kind !== undefined && commandKinds.has(kind)) {
    const hint = 'Type commands with terminal_send; ask the person in your own words.'
    throw new TermError('not_asking', `${terminalId} is at a prompt for commands: an answer would be run as one.`, hint)
  }
  const line = screen.split('\n')[cursorRow]?.trim() ?? ''
  return {
    terminalId,
    program: await programOf(client, terminalId),
    text: (question ?? line).slice(0, questionCharactersMax),
    isSecret: kind === 'password',
    cursor,
  }
}

/** Errors: `session_not_found`. */
async function cursorOf(client: ServerClient, terminalId: string): Promise<number> {
  const { terminals } = await client.call('wait', { terminalIds: [terminalId], waitFor: 'none' })
  return terminals[0]?.cursor ?? 0
}

async function programOf(client: ServerClient, terminalId: string): Promise<string> {
  const { terminals } = await client.call('list', {})
  return terminals.find((one) => one.terminalId === terminalId || one.name === terminalId)?.command ?? terminalId
}
