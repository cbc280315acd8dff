/**
 * Uses an agent like a person: its program runs in a terminal, an instruction is typed, and the answer is read from the
 * screen.
 */

import assert from 'node:assert/strict'
import { isTermError } from 'agentpty'
import type { Dialog, Launch } from '../../bench/agents/clients/client.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import type { AgentHome } from './agent-home.ts'
import type { Runnable } from './runnable.ts'

export interface Opening {
  readonly client: Runnable
  readonly launch: Launch
  readonly home: AgentHome
}

/** The screen after the end of the turn. */
export async function askOnScreen(caller: McpCaller, opening: Opening, prompt: string): Promise<string> {
  const terminalId = await openOnScreen(caller, opening)
  // On a busy machine some agents show nothing for seconds after Enter, and an early verdict is only a guess.
  const { outcome, state, kind, evidence } = await caller.call('send', {
    terminalId,
    text: prompt,
    instruct: true,
    waitFor: { ready: 'medium' },
    waitTimeoutMs: 50_000,
  })
  const after = (await caller.call('screenshot', { terminalId, format: 'plain' })).screen
  assert.deepEqual({ outcome, state, kind }, { outcome: 'met', state: 'ready', kind: 'agent' }, `${evidence}\n${after}`)
  return after
}

/** Starts an agent that accepts instructions. A person allows it if its own questions are off. */
export async function openOnScreen(caller: McpCaller, { client, launch, home }: Opening): Promise<string> {
  const open = () =>
    caller.call('create', {
      command: [...launch.command],
      env: launch.env,
      cwd: home.cwd,
      cols: 110,
      rows: 36,
      waitFor: 'none',
    })
  const { terminalId } = await open().catch(async (error: unknown) => {
    if (!isTermError(error) || error.code !== 'needs_approval') throw error
    await home.allowAll()
    return open()
  })
  const { firstQuestion, started } = client
  const first = firstQuestion === undefined ? started : either(firstQuestion.shows, started)
  const screen = await showing(caller, terminalId, first)
  if (firstQuestion?.shows.test(screen)) await answer(caller, terminalId, firstQuestion)
  await showing(caller, terminalId, started)
  return terminalId
}

const either = (one: RegExp, other: RegExp) => new RegExp(`${one.source}|${other.source}`)

/** Reads the screen again after each output. */
export async function showing(caller: McpCaller, terminalId: string, pattern: RegExp): Promise<string> {
  let since = 0
  for (;;) {
    const waited = await caller.call('read', {
      terminalId,
      since,
      waitFor: 'output',
      waitTimeoutMs: 50_000,
      maxBytes: 256,
    })
    const { screen } = await caller.call('screenshot', { terminalId, format: 'plain' })
    if (pattern.test(screen)) return screen
    assert.equal(waited.outcome, 'met', `no ${pattern} on the screen:\n${screen}`)
    since = waited.cursor
  }
}

/** A dialog accepts an answer only while it waits for one, and must draw the effect of a key before the next key. */
async function answer(caller: McpCaller, terminalId: string, dialog: Dialog): Promise<void> {
  await caller.call('wait', { terminalIds: [terminalId], waitFor: 'ready' })
  for (const keys of dialog.answer)
    await caller.call('sendKeys', { terminalId, keys: [...keys], waitFor: { stableMs: 300 } })
}
