/** Real agents whose conversation continues: in a fork with its own worktree, and after the end of their terminal. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { installClients } from '../../bench/agents/lib/install.ts'
import { type FakeModel, startFakeModel } from '../../tools/fake-model/server.ts'
import { AgentHome } from './agent-home.ts'
import { CommandedAgents } from './commanded-agents.ts'

const testTimeoutMs = 300_000
let home: AgentHome
let model: FakeModel
let asked: string
let agents: CommandedAgents

beforeAll(() => installClients(), testTimeoutMs)

/** The model's request contains the earlier conversation; each answer counts the known words in it. */
const answering = (match: string, answer: string) => ({
  match,
  steps: [
    { text: `{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\n${answer}\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}`, delayMs: 200 },
  ],
})
const script = {
  turns: [answering('Remember the plum', 'I remember.'), answering('Name the fruit', 'It was named.')],
}

beforeEach(async () => {
  home = new AgentHome()
  asked = join(home.path, 'asked')
  model = await startFakeModel({ script, dumpFolder: asked })
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', home.cwd, ...args], { env: gitEnv() })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(home.cwd, 'kept.txt'), 'kept\n')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  writeFileSync(join(home.cwd, 'draft.txt'), 'not committed\n')
})

afterEach(async () => {
  await model.close()
  assert.deepEqual(await home.close(), [])
})

const gitEnv = () => ({
  ...process.env,
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
})

/** The number of requests for the second answer that contain the first instruction, too. */
const knowing = () =>
  readdirSync(asked, { withFileTypes: true }).filter((entry) => {
    const text = entry.isFile() ? readFileSync(join(asked, entry.name), 'utf8') : ''
    return text.includes('Remember the plum') && text.includes('Name the fruit')
  }).length

test.each<[string, AgentClient, string, boolean]>([
  ['claude', claude, 'Yes, I trust', true],
  ['codex', codex, 'Yes', true],
  ['gemini', gemini, 'Trust folder', false],
])(
  '%s knows what was said before its fork and its end',
  async (name, client, trust, canFork) => {
    agents = new CommandedAgents(home, client, model.url)
    const first = await agents.begin(['spawn', name], 'Remember the plum', trust)
    expect(await agents.answerOf(first)).toBe('I remember.\n')
    if (canFork) {
      const second = await agents.begin(['fork', first, '--worktree'], 'Name the fruit', trust)
      expect(await agents.answerOf(second)).toBe('It was named.\n')
      expect(knowing()).toBeGreaterThan(0)
      const path = `${home.cwd}-${name}-1`
      expect([existsSync(join(path, 'kept.txt')), existsSync(join(path, 'draft.txt'))]).toEqual([true, false])
    } else {
      const refused = await agents.agent('fork', first)
      expect(refused.stderr).toContain(`The agent ${name} cannot begin a new conversation from another`)
    }
    expect((await agents.agent('resume', first)).stderr).toContain('has not ended')
    assert.equal((await agents.agent('kill', first)).code, 0)
    const before = knowing()
    const again = await agents.begin(['resume', first], 'Name the fruit', trust)
    expect(await agents.answerOf(again)).toBe('It was named.\n')
    expect(knowing()).toBeGreaterThan(before)
  },
  testTimeoutMs,
)

test(
  'claude continues its conversation at its position in the tree when restarted there',
  async () => {
    agents = new CommandedAgents(home, claude, model.url)
    const first = await agents.begin(['spawn', 'claude'], 'Remember the plum', 'Yes, I trust')
    expect(await agents.answerOf(first)).toBe('I remember.\n')
    const door = await home.door('terminal-agent', agents.env)
    const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const { content } = await door.callTool({ name, arguments: { ...input } })
      const [part] = content as readonly { readonly text: string }[]
      return JSON.parse(part?.text ?? '')
    }
    const { id: crew } = await call('graph_create_group', { label: 'crew' })
    const roots: readonly { readonly id: string; readonly terminalId: string }[] = await call('graph_list', {})
    const nodeId = roots.find(({ terminalId }) => terminalId === first)?.id
    await call('graph_move', { nodeId, newParentId: crew })
    await call('graph_stop_subtree', { nodeId: crew })
    const again = await call('graph_retry', { nodeId })
    expect(again).toMatchObject({ id: nodeId, parentId: crew })
    expect(again.terminalId).not.toBe(first)
    assert.equal((await agents.agent('send', again.terminalId, 'Name the fruit')).code, 0)
    expect(await agents.answerOf(again.terminalId)).toBe('It was named.\n')
    expect(knowing()).toBeGreaterThan(0)
  },
  testTimeoutMs,
)
