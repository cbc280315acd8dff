/** A tree of real agents, three levels deep, for one job: each starts those below it with its own tools. */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { run } from '../harness/instance.ts'
import { environmentOf, testTimeoutMs, workplaceOfEach } from './agents-at-work.ts'

const workplace = workplaceOfEach()

/** The agents that may start others without a question. */
const settings = `agents:
  claude:
    args: [--allowedTools, mcp__agents]
  codex:
    permissions: all
`

/** A call that becomes a task is waited for, because its later result would be a separate turn. */
const quiet = { IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_MCP_TASK_BACKGROUND: '1' }

interface Hired {
  readonly agent_type: string
  readonly name: string
  readonly task: string
}

const fenced = (answer: string) => ({
  text: `{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\n${answer}\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}`,
  delayMs: 200,
})
const hire = (hired: Hired) => ({ tool: 'agents/spawn_agent', args: { ...hired } })
const waitFor = (name: string) => ({ tool: 'agents/wait_for_idle', args: { id: name, timeout: 100 } })
/** One wait ends before its client's own limit, after which a model calls again; a wait for an idle agent returns at once. */
const waitLongFor = (name: string) => Array.from({ length: 5 }, () => waitFor(name))

/** Its final answer. */
const defectOf = (task: string) => task.split(' ').at(-1) ?? ''

/** The agents that each one starts, how it waits for them, and how it uses their answers. */
const scriptWith = (coordinator: string, fixers: readonly Hired[]) => ({
  turns: [
    {
      match: 'Lead the repair',
      steps: [
        hire({ agent_type: 'codex', name: 'auditor', task: 'List the defects' }),
        ...waitLongFor('auditor'),
        hire({ agent_type: coordinator, name: 'coordinator', task: 'Have this fixed: {{results:/leak in a.c/}}' }),
        ...waitLongFor('coordinator'),
        fenced('Repaired. {{results:/All fixed: [^"\\\\]*/}}'),
      ],
    },
    { match: 'List the defects', steps: [fenced('leak in a.c')] },
    {
      match: 'Have this fixed: leak in a.c',
      steps: [
        ...fixers.map(hire),
        ...fixers.flatMap(({ name }) => waitLongFor(name)),
        fenced(`All fixed: ${fixers.map(({ task }) => `{{results:/Fixed: ${defectOf(task)}/}}`).join(', ')}`),
      ],
    },
    { match: 'Repair this', steps: [fenced('Fixed: {{prompt:/leak|overflow|race/}}')] },
  ],
})

interface ShownNode {
  readonly nodeId: string
  readonly parentId: string | null
  readonly label: string
}

/** The parent of each agent. */
function parentsOf(nodes: readonly ShownNode[]): Readonly<Record<string, string>> {
  const labels = new Map(nodes.map(({ nodeId, label }) => [nodeId, label]))
  return Object.fromEntries(nodes.map(({ label, parentId }) => [label, labels.get(parentId ?? '') ?? '']))
}

const trees: readonly [string, string, readonly AgentClient[], readonly Hired[]][] = [
  [
    'five of Claude Code and Codex audit, fix in two places and summarise',
    'claude',
    [claude, codex],
    [
      { agent_type: 'codex', name: 'first', task: 'Repair this leak' },
      { agent_type: 'claude', name: 'second', task: 'Repair this overflow' },
    ],
  ],
  [
    'Gemini CLI, opencode and Copilot CLI fix the tasks that Codex assigns',
    'codex',
    [claude, codex, gemini, opencode, copilot],
    [
      { agent_type: 'gemini', name: 'first', task: 'Repair this leak' },
      { agent_type: 'opencode', name: 'second', task: 'Repair this overflow' },
      { agent_type: 'copilot', name: 'third', task: 'Repair this race' },
    ],
  ],
]

test.each(trees)(
  '%s',
  async (_, coordinator, clients, fixers) => {
    const { home, meetPerson } = workplace()
    const model = await startFakeModel({ script: scriptWith(coordinator, fixers) })
    const env = { ...home.env, ...environmentOf(clients, { home, modelUrl: model.url }), ...quiet }
    const agentpty = (...args: readonly string[]) => run(process.execPath, [home.command[1] ?? '', ...args], env)
    const file = (await agentpty('config', 'path')).stdout.trim()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, settings)
    for (const name of ['claude', 'codex']) await agentpty('init', '--toolset', 'agents', '--client', name, '--yes')
    await meetPerson(...clients)
    const where = ['--cwd', home.cwd, '--name', 'lead', '--through-dialogs']
    const spawned = await agentpty('agent', 'spawn', 'claude', 'Lead the repair', ...where)
    const lead = spawned.stdout.trim()
    assert.match(lead, /^term-\d+$/, spawned.stderr)
    const waited = await agentpty('agent', 'wait', lead, '--through-dialogs', '--timeout', '200000')
    assert.equal(waited.code, 0, waited.stderr)
    const all = fixers.map(({ task }) => `Fixed: ${defectOf(task)}`).join(', ')
    expect((await agentpty('agent', 'answer', lead)).stdout).toBe(`Repaired. All fixed: ${all}\n`)
    const { nodes } = JSON.parse((await agentpty('tree', 'lead', '--json')).stdout)
    expect(parentsOf(nodes)).toEqual({
      lead: '',
      auditor: 'lead',
      coordinator: 'lead',
      ...Object.fromEntries(fixers.map(({ name }) => [name, 'coordinator'])),
    })
    // The files that they leave would be found when the home is closed.
    assert.equal((await agentpty('agent', 'kill', lead)).code, 0)
    expect((await agentpty('agent', 'ls')).stdout).toContain('No agents')
    await model.close()
  },
  testTimeoutMs,
)
