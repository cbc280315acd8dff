/** A real agent plays tasks of the gym: it gets the instruction, types through agentpty's tools, and is judged from outside. */

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { run } from '../harness/instance.ts'
import { rewardIf, separate, TaskWriter } from '../harness/task-writer.ts'
import { environmentOf, testTimeoutMs, workplaceOfEach } from './agents-at-work.ts'
import { solving } from './solving-model.ts'

const workplace = workplaceOfEach()

/** It types without a permission question. */
const settings = `agents:
  claude:
    args: [--allowedTools, mcp__agentpty]
`
const quiet = { IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_MCP_TASK_BACKGROUND: '1' }

const script = {
  turns: [
    {
      match: 'Write the sum',
      steps: [
        { tool: 'agentpty/terminal_read', args: { terminalId: 'of-another-caller' } },
        {
          tool: 'agentpty/terminal_send',
          args: {
            terminalId: '{{prompt:/term-\\d+/}}',
            text: "echo $((40 + 2)) > sum.txt; echo '{{results:/No terminal/}}' > seen.txt",
          },
        },
        {
          text: '{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\nIt is written.\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}',
          delayMs: 200,
        },
      ],
    },
  ],
}

/** Runs the command line in the folder that the agent trusts. */
async function gymRun(args: readonly string[], modelUrl: string) {
  const { home, meetPerson } = workplace()
  const env = { ...home.env, ...environmentOf([claude], { home, modelUrl }), ...quiet }
  const config = join(home.path, '.config/agentpty/config.yaml')
  mkdirSync(dirname(config), { recursive: true })
  writeFileSync(config, settings)
  const init = await home.agentpty('init', '--client', 'claude', '--yes')
  assert.equal(init.code, 0, init.stderr)
  await meetPerson(claude)
  const others = await home.agentpty('new', '--name', 'of-another-caller')
  assert.equal(others.code, 0, others.stderr)
  const line = [process.execPath, home.command[1] ?? '', 'gym', 'run', ...args, '--agent', 'claude', '--json']
  const { stdout, stderr } = await run('/bin/sh', ['-c', 'cd "$0" && exec "$@"', home.cwd, ...line], env)
  assert.ok(stdout.startsWith('{'), stderr)
  return JSON.parse(stdout).rows
}

test(
  'Claude Code gets the reward of its input, and sees no terminal of others',
  async () => {
    const tasks = new TaskWriter()
    const folder = tasks.write('sum', {
      'instruction.md': 'Write the sum of 40 and 2 into sum.txt.\n',
      'task.toml': `schema_version = "1.3"\n${separate('/app/sum.txt', '/app/seen.txt')}`,
      'environment/readme': 'x',
      'tests/test.sh': rewardIf('[ "$(cat /app/sum.txt)" = 42 ] && grep -q "No terminal" /app/seen.txt'),
    })
    const model = await startFakeModel({ script })
    const [row] = await gymRun([folder, '--out', tasks.folder, '--name', 'job'], model.url)
    expect(row).toMatchObject({ agent: 'claude', reward: 1, problem: null })
    const trial = join(tasks.folder, 'job', row.trial)
    const trajectory = JSON.parse(readFileSync(join(trial, 'agent/trajectory.json'), 'utf8'))
    expect(trajectory.steps.at(-1)).toMatchObject({
      tool_calls: [{ function_name: 'send', arguments: { text: expect.stringContaining('sum.txt') } }],
    })
    await model.close()
  },
  testTimeoutMs,
)

/** With `all`, each of the thirty. */
const played = process.env['AGENTPTY_TASKS'] ?? 'gdb-branch vim-block-edit gpg-pinentry two-terminals'

test(
  'Claude Code plays tty-30 in one line, with a model that knows the solutions',
  async () => {
    const tasks = new TaskWriter()
    const written = await workplace().home.agentpty('gym', 'write', 'tty-30', tasks.folder)
    assert.equal(written.code, 0, written.stderr)
    const names = played === 'all' ? readdirSync(tasks.folder) : played.split(' ')
    const model = await startFakeModel({
      script: { turns: names.map((name) => solving(join(tasks.folder, name))) },
    })
    const asked = played === 'all' ? ['tty-30'] : names.map((name) => `tty-30/${name}`)
    const rows = await gymRun([...asked, '--out', join(tasks.folder, 'jobs'), '--n', '2'], model.url)
    const problems = rows.filter(({ reward }: { reward: number | null }) => reward !== 1)
    expect(problems).toEqual([])
    expect(rows).toHaveLength(names.length)
    await model.close()
  },
  played === 'all' ? 10 * testTimeoutMs : testTimeoutMs,
)
