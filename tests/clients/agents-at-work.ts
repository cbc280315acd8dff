/** Several agents at one home that work for each other, and the person who answers their start dialogs. */

import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { isTermError } from '@agentpty/protocol'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { installClients, programOf } from '../../bench/agents/lib/install.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { AgentHome } from './agent-home.ts'

/** Installing takes a minute the first time; several agents on a busy machine are slow. */
export const testTimeoutMs = 300_000

export interface Workplace {
  readonly home: AgentHome
  /** A person who answers the start dialogs of these agents until the end of the test. */
  meetPerson(...clients: readonly AgentClient[]): Promise<void>
}

/** A home for each test, without processes left afterwards. To be read inside the tests. */
export function workplaceOfEach(): () => Workplace {
  let now: Workplace
  let over: AbortController
  let person: Promise<void>
  beforeAll(() => installClients(), testTimeoutMs)
  beforeEach(() => {
    const home = new AgentHome()
    over = new AbortController()
    person = Promise.resolve()
    now = {
      home,
      meetPerson: async (...clients) => {
        person = answerQuestions(await home.caller(), clients, over)
      },
    }
  })
  afterEach(async () => {
    over.abort()
    await person
    assert.deepEqual(await now.home.close(), [])
  })
  return () => now
}

interface AtHome {
  readonly home: AgentHome
  readonly modelUrl: string
}

/** The environment that finds each agent by its name and connects it to this model. */
export function environmentOf(
  clients: readonly AgentClient[],
  { home, modelUrl }: AtHome,
): Readonly<Record<string, string>> {
  const launch = { home: home.path, cwd: home.cwd, modelUrl }
  const own = clients.flatMap((client) => Object.entries(client.prepare({ ...launch, program: programOf(client) }).env))
  const folders = clients.map((client) => dirname(programOf(client)))
  return { ...Object.fromEntries(own), PATH: [...new Set(folders), home.env['PATH']].join(':') }
}

/** Answers each agent's question whether its folder is trusted, until stopped. */
async function answerQuestions(
  caller: McpCaller,
  clients: readonly AgentClient[],
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const { terminals } = await caller.call('list', {})
    for (const { terminalId } of terminals.filter(({ needs }) => needs === 'answer')) {
      const { screen } = await caller.call('screenshot', { terminalId, format: 'plain' })
      const asked = clients.find(({ firstQuestion }) => firstQuestion?.shows.test(screen))?.firstQuestion
      for (const keys of asked?.answer ?? [])
        await caller.call('sendKeys', { terminalId, keys: [...keys], waitFor: { stableMs: 300 } })
    }
    const terminalIds = terminals.map(({ terminalId }) => terminalId)
    if (terminalIds.length > 0)
      await caller.call('wait', { terminalIds, waitFor: 'output', waitTimeoutMs: 500 }).catch(ifClosed)
  }
}

/** A run closes the terminals of its steps. */
function ifClosed(error: unknown): void {
  if (!isTermError(error) || error.code !== 'session_not_found') throw error
}
