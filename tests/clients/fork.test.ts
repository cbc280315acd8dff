/** Real agents whose conversation is gone on from: by a fork in a worktree of its own, and again after the end of their terminal. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { installClients, programOf } from '../../bench/agents/lib/install.ts'
import { type FakeModel, startFakeModel } from '../../tools/fake-model/server.ts'
import { type Finished, run, until } from '../e2e/instance.ts'
import { AgentHome } from './agent-home.ts'

const testTimeoutMs = 300_000
let home: AgentHome
let model: FakeModel
let asked: string
let env: Record<string, string>

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

function prepare(client: AgentClient): void {
  const launch = { home: home.path, cwd: home.cwd, modelUrl: model.url, program: programOf(client) }
  const { env: own } = client.prepare(launch)
  env = { ...home.env, ...own, PATH: `${dirname(programOf(client))}:${home.env['PATH']}`, IS_SANDBOX: '1' }
  // It starts itself again once it is trusted.
  env['GEMINI_CLI_TRUST_WORKSPACE'] = 'true'
}

const agent = (...args: readonly string[]): Promise<Finished> =>
  run(process.execPath, [home.command[1] ?? '', 'agent', ...args], env, { cwd: home.cwd })

/** Its first question may be whether the folder is trusted. */
async function spawned(args: readonly string[], instruction: string, trust: string): Promise<string> {
  const { stdout, stderr } = await agent(...args)
  const terminalId = stdout.trim()
  assert.match(terminalId, /^term-\d+$/, stderr)
  const sent = await agent('send', terminalId, instruction)
  if (sent.code === 0) return terminalId
  const replied = await agent('reply', terminalId, trust)
  assert.equal(replied.code, 0, sent.stderr + replied.stderr)
  const again = await agent('send', terminalId, instruction)
  assert.equal(again.code, 0, again.stderr)
  return terminalId
}

/** An agent that has just been started may look idle for a moment before it begins. */
async function answered(terminalId: string): Promise<string> {
  let said = ''
  await until(async () => {
    await agent('wait', terminalId, '--timeout', '60000')
    said = (await agent('answer', terminalId)).stdout
    return said !== ''
  })
  return said
}

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
    prepare(client)
    const first = await spawned(['spawn', name], 'Remember the plum', trust)
    expect(await answered(first)).toBe('I remember.\n')
    if (canFork) {
      const second = await spawned(['fork', first, '--worktree'], 'Name the fruit', trust)
      expect(await answered(second)).toBe('It was named.\n')
      expect(knowing()).toBeGreaterThan(0)
      const path = `${home.cwd}-${name}-1`
      expect([existsSync(join(path, 'kept.txt')), existsSync(join(path, 'draft.txt'))]).toEqual([true, false])
    } else {
      const refused = await agent('fork', first)
      expect(refused.stderr).toContain(`The agent ${name} cannot begin a new conversation from another`)
    }
    expect((await agent('resume', first)).stderr).toContain('has not ended')
    assert.equal((await agent('kill', first)).code, 0)
    const before = knowing()
    const again = await spawned(['resume', first], 'Name the fruit', trust)
    expect(await answered(again)).toBe('It was named.\n')
    expect(knowing()).toBeGreaterThan(before)
  },
  testTimeoutMs,
)
