/** Real agents that work for each other: one finds defects, another fixes each of them, and the first sums up what was done. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { installClients, programOf } from '../../bench/agents/lib/install.ts'
import { isTermError } from '../../packages/agentpty/src/contracts/errors.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { run } from '../e2e/instance.ts'
import type { McpCaller } from '../e2e/mcp-caller.ts'
import { AgentHome } from './agent-home.ts'

const testTimeoutMs = 300_000
let home: AgentHome

beforeAll(() => installClients(), testTimeoutMs)
beforeEach(() => {
  home = new AgentHome()
})
afterEach(async () => {
  assert.deepEqual(await home.close(), [])
})

/** Answers between the fences that the instruction asks for. */
const answering = (match: string, answer: string) => ({
  match,
  steps: [
    { text: `{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\n${answer}\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}`, delayMs: 200 },
  ],
})

const script = {
  turns: [
    answering('List the defects', 'leak in a.c\noverflow in b.c'),
    answering('Fix this defect', 'Fixed: {{prompt:/leak in a.c|overflow in b.c/}}'),
    answering('Say what was changed', '{{prompt:/Fixed: leak in a.c/}}; {{prompt:/Fixed: overflow in b.c/}}'),
  ],
}

const pipeline = `
steps:
  audit: {agent: claude, task: List the defects in here.}
  fix: {agent: codex, needs: [audit], each: audit, task: 'Fix this defect: {{item}}'}
  summary: {agent: claude, needs: [audit, fix], task: 'Say what was changed. {{fix.output}}'}
`

/** A person answers the question of each agent whether its folder is trusted, until this is stopped. */
async function answerQuestions(caller: McpCaller, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  const clients: readonly AgentClient[] = [claude, codex]
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

/** The run closes the terminals of its steps. */
function ifClosed(error: unknown): void {
  if (!isTermError(error) || error.code !== 'session_not_found') throw error
}

test(
  'Claude Code and Codex audit, fix and sum up',
  async () => {
    const model = await startFakeModel({ script })
    const launch = { home: home.path, cwd: home.cwd, modelUrl: model.url }
    const env = Object.fromEntries(
      [claude, codex].flatMap((client) =>
        Object.entries(client.prepare({ ...launch, program: programOf(client) }).env),
      ),
    )
    const file = join(home.path, 'audit.yaml')
    writeFileSync(file, pipeline)
    const caller = await home.caller()
    const over = new AbortController()
    const person = answerQuestions(caller, over)
    const path = `${dirname(programOf(claude))}:${home.env['PATH']}`
    const args = ['pipeline', 'run', file, '--cwd', home.cwd, '--json']
    const { stdout, stderr } = await run(process.execPath, [home.command[1] ?? '', ...args], {
      ...home.env,
      ...env,
      PATH: path,
    })
    over.abort()
    await person
    assert.ok(stdout.startsWith('{'), stderr)
    const { run: done } = JSON.parse(stdout)
    expect(done.steps.map(({ key, state, why }: Record<string, unknown>) => [key, state, why])).toEqual([
      ['audit', 'done', null],
      ['fix.1', 'done', null],
      ['fix.2', 'done', null],
      ['summary', 'done', null],
    ])
    const { stdout: summary } = await home.agentpty('pipeline', 'show', done.runId, 'summary')
    expect(summary).toBe('Fixed: leak in a.c; Fixed: overflow in b.c\n')
    await model.close()
  },
  testTimeoutMs,
)
