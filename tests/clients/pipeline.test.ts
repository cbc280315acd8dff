/** Real agents that work for each other: one finds defects, another fixes each of them, and the first summarises the work. */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { run } from '../harness/instance.ts'
import type { AgentHome } from './agent-home.ts'
import { environmentOf, testTimeoutMs, workplaceOfEach } from './agents-at-work.ts'

const workplace = workplaceOfEach()

/** Answers in the fences that the instruction requires. */
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
    answering('Say in five sentences', '{{prompt:/Fixed: leak in a.c/}}; {{prompt:/Fixed: overflow in b.c/}}'),
    answering('audit the codebase', 'leak in a.c'),
    answering('summarize', 'In short: {{prompt:/leak in a.c/}}'),
  ],
}

test(
  'Claude Code and Codex audit, fix and summarise',
  async () => {
    const { home, meetPerson } = workplace()
    const model = await startFakeModel({ script })
    const env = environmentOf([claude, codex], { home, modelUrl: model.url })
    await meetPerson(claude, codex)
    const args = ['pipeline', 'run', 'examples/audit.yaml', '--cwd', home.cwd, '--json']
    const { stdout, stderr } = await run(process.execPath, [home.command[1] ?? '', ...args], { ...home.env, ...env })
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

/** Pretends that a person has allowed instructions: this agent asks in no other way. */
function trustedByGemini({ path, cwd: folder }: AgentHome): void {
  const file = join(path, '.gemini', 'trustedFolders.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ [folder]: 'TRUST_FOLDER' }))
}

test(
  'the pipeline of termtile’s manual runs unchanged',
  async () => {
    const { home, meetPerson } = workplace()
    const model = await startFakeModel({ script })
    trustedByGemini(home)
    const door = await home.door('termtile', environmentOf([claude, gemini], { home, modelUrl: model.url }))
    await meetPerson(claude, gemini)
    const call = async (name: string, input: Record<string, unknown>) => {
      const { structuredContent, isError, content } = await door.callTool({ name, arguments: input })
      assert.ok(isError !== true, JSON.stringify(content))
      return structuredContent
    }
    // Slot 0 belongs to the caller.
    await call('spawn_agent', { type: 'cat', cwd: home.cwd })
    const first = { type: 'claude', task: 'audit the codebase' }
    const second = { type: 'gemini' }
    expect(await call('spawn_agent', { ...first, cwd: home.cwd })).toMatchObject({ slot: 1 })
    const task = 'summarize: {{slot_1.output}}'
    const summing = await call('spawn_agent', { ...second, task, depends_on: [1], cwd: home.cwd })
    expect(summing).toMatchObject({ slot: 2 })
    expect(summing).not.toHaveProperty('note')
    expect(await call('wait_for_idle', { slot: 2, timeout: 60 })).toMatchObject({ is_idle: true })
    expect(await call('get_artifact', { slot: 2 })).toMatchObject({ output: 'In short: leak in a.c' })
    await model.close()
  },
  testTimeoutMs,
)
