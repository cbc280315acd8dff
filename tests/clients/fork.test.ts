/** Real agents whose conversation is gone on from: by a fork in a worktree of its own, and again after the end of their terminal. */

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
import { ToldAgents } from './told-agents.ts'

const testTimeoutMs = 300_000
let home: AgentHome
let model: FakeModel
let asked: string
let told: ToldAgents

beforeAll(() => installClients(), testTimeoutMs)

/** What the model is asked carries all that was said before; each answer counts the words of it that it knows. */
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
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
})

/** How many requests for the second answer had the first instruction in them, too. */
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
    told = new ToldAgents(home, client, model.url)
    const first = await told.begin(['spawn', name], 'Remember the plum', trust)
    expect(await told.answerOf(first)).toBe('I remember.\n')
    if (canFork) {
      const second = await told.begin(['fork', first, '--worktree'], 'Name the fruit', trust)
      expect(await told.answerOf(second)).toBe('It was named.\n')
      expect(knowing()).toBeGreaterThan(0)
      const path = `${home.cwd}-${name}-1`
      expect([existsSync(join(path, 'kept.txt')), existsSync(join(path, 'draft.txt'))]).toEqual([true, false])
    } else {
      const refused = await told.agent('fork', first)
      expect(refused.stderr).toContain(`The agent ${name} cannot begin a new conversation from another`)
    }
    expect((await told.agent('resume', first)).stderr).toContain('has not ended')
    assert.equal((await told.agent('kill', first)).code, 0)
    const before = knowing()
    const again = await told.begin(['resume', first], 'Name the fruit', trust)
    expect(await told.answerOf(again)).toBe('It was named.\n')
    expect(knowing()).toBeGreaterThan(before)
  },
  testTimeoutMs,
)

test(
  'claude goes on with its conversation at its place in the tree when it is started again there',
  async () => {
    told = new ToldAgents(home, claude, model.url)
    const first = await told.begin(['spawn', 'claude'], 'Remember the plum', 'Yes, I trust')
    expect(await told.answerOf(first)).toBe('I remember.\n')
    const door = await home.door('terminal-agent', told.env)
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
    assert.equal((await told.agent('send', again.terminalId, 'Name the fruit')).code, 0)
    expect(await told.answerOf(again.terminalId)).toBe('It was named.\n')
    expect(knowing()).toBeGreaterThan(0)
  },
  testTimeoutMs,
)
