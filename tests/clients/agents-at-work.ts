/** Several agents at one home that work for each other, and the person who answers what they ask as they start. */

import { dirname } from 'node:path'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { programOf } from '../../bench/agents/lib/install.ts'
import { isTermError } from '../../packages/agentpty/src/contracts/errors.ts'
import type { McpCaller } from '../e2e/mcp-caller.ts'
import type { AgentHome } from './agent-home.ts'

interface AtHome {
  readonly home: AgentHome
  readonly modelUrl: string
}

/** With it each is found by its name, and speaks to this model. */
export function environmentOf(
  clients: readonly AgentClient[],
  { home, modelUrl }: AtHome,
): Readonly<Record<string, string>> {
  const launch = { home: home.path, cwd: home.cwd, modelUrl }
  const own = clients.flatMap((client) => Object.entries(client.prepare({ ...launch, program: programOf(client) }).env))
  const folders = clients.map((client) => dirname(programOf(client)))
  return { ...Object.fromEntries(own), PATH: [...new Set(folders), home.env['PATH']].join(':') }
}

/** A person answers the question of each agent whether its folder is trusted, until this is stopped. */
export async function answerQuestions(
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
