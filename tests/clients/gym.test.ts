/** A real agent plays a task of the gym: it gets the instruction, types through agentpty's tools, and its work is judged from outside. */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { run } from '../e2e/instance.ts'
import { rewardIf, separate, TaskWriter } from '../gym/task-writer.ts'
import { environmentOf, testTimeoutMs, workplaceOfEach } from './agents-at-work.ts'

const workplace = workplaceOfEach()

/** It types without asking. */
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
        { tool: 'agentpty/terminal_read', args: { terminalId: 'of-somebody-else' } },
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

test(
  'Claude Code gets the reward of what it has typed, and sees no terminal of others',
  async () => {
    const { home, meetPerson } = workplace()
    const tasks = new TaskWriter()
    const folder = tasks.write('sum', {
      'instruction.md': 'Write the sum of 40 and 2 into sum.txt.\n',
      'task.toml': `schema_version = "1.3"\n${separate('/app/sum.txt', '/app/seen.txt')}`,
      'environment/readme': 'x',
      'tests/test.sh': rewardIf('[ "$(cat /app/sum.txt)" = 42 ] && grep -q "No terminal" /app/seen.txt'),
    })
    const model = await startFakeModel({ script })
    const env = { ...home.env, ...environmentOf([claude], { home, modelUrl: model.url }), ...quiet }
    const config = join(home.path, '.config/agentpty/config.yaml')
    mkdirSync(dirname(config), { recursive: true })
    writeFileSync(config, settings)
    const init = await home.agentpty('init', '--client', 'claude', '--yes')
    assert.equal(init.code, 0, init.stderr)
    await meetPerson(claude)
    const others = await home.agentpty('new', '--name', 'of-somebody-else')
    assert.equal(others.code, 0, others.stderr)
    const args = ['gym', 'run', folder, '--agent', 'claude', '--out', tasks.folder, '--name', 'job', '--json']
    const inFolder = ['-c', 'cd "$0" && exec "$@"', home.cwd, process.execPath, home.command[1] ?? '', ...args]
    const { stdout, stderr } = await run('/bin/sh', inFolder, env)
    assert.ok(stdout.startsWith('{'), stderr)
    const [row] = JSON.parse(stdout).rows
    expect(row).toMatchObject({ agent: 'claude', reward: 1, problem: null })
    const trial = join(tasks.folder, 'job', row.trial)
    const trajectory = JSON.parse(readFileSync(join(trial, 'agent/trajectory.json'), 'utf8'))
    expect(trajectory.steps.at(-1)).toMatchObject({
      tool_calls: [{ function_name: 'send', arguments: { text: expect.stringContaining('sum.txt') } }],
    })
    await model.close()
    tasks.remove()
  },
  testTimeoutMs,
)
