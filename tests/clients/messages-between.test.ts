/** Real agents that send messages to each other, and one that is steered by its hook in the middle of a turn. */

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { installClients, programOf } from '../../bench/agents/lib/install.ts'
import { type FakeModel, startFakeModel } from '../../tools/fake-model/server.ts'
import type { Finished } from '../harness/command-line.ts'
import { program, run, until } from '../harness/instance.ts'
import { AgentHome } from './agent-home.ts'

const testTimeoutMs = 300_000
let home: AgentHome
let model: FakeModel
let asked: string
let env: Record<string, string>

beforeAll(() => installClients(), testTimeoutMs)

afterEach(async () => {
  await model.close()
  assert.deepEqual(await home.close(), [])
})

type Script = NonNullable<Parameters<typeof startFakeModel>[0]>['script']

async function prepare(client: AgentClient, script: Script, settings: string): Promise<void> {
  // It reads no settings below a folder that others may write to.
  home = new AgentHome(client === gemini ? homedir() : tmpdir())
  asked = join(home.path, 'asked')
  model = await startFakeModel({ ...(script === undefined ? {} : { script }), dumpFolder: asked })
  const launch = { home: home.path, cwd: home.cwd, modelUrl: model.url, program: programOf(client) }
  const { env: own } = client.prepare(launch)
  env = { ...home.env, ...own, PATH: `${dirname(programOf(client))}:${home.env['PATH']}`, IS_SANDBOX: '1' }
  // It restarts itself once it is trusted.
  env['GEMINI_CLI_TRUST_WORKSPACE'] = 'true'
  const path = (await run(process.execPath, [program, 'config', 'path'], env, { cwd: home.cwd })).stdout.trim()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, settings)
}

const agent = (...args: readonly string[]): Promise<Finished> =>
  run(process.execPath, [home.command[1] ?? '', 'agent', ...args], env, { cwd: home.cwd })

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await agent(...args)
  assert.equal(code, 0, stderr)
  return stdout
}

/** Its first question may be whether the folder is trusted. */
async function started(type: string, trust: string | null): Promise<string> {
  const terminalId = (await printed('spawn', type)).trim()
  if (trust === null) return terminalId
  const caller = await home.caller()
  // On a busy machine it draws its dialog some time after its first screen.
  await until(async () => {
    const { terminals } = await caller.call('wait', { terminalIds: [terminalId], waitFor: 'ready' })
    return terminals[0]?.needs === 'answer'
  })
  await printed('reply', terminalId, trust)
  return terminalId
}

/** The requests to the model, newest last. */
const requests = () =>
  readdirSync(asked)
    .toSorted()
    .map((name) => readFileSync(join(asked, name), 'utf8'))

interface Steered {
  readonly client: AgentClient
  /** The option that trusts the folder; null if it does not ask. */
  readonly trust: string | null
  readonly settings: string
  /** The tool after which it is steered. */
  readonly call: { readonly tool: string; readonly args: Readonly<Record<string, string>> }
}

const fenced = (answer: string) =>
  `{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\n${answer}\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}`

test(
  'a Claude started by another one reports to it, and the other reads the report as data',
  async () => {
    const agentpty = `${process.execPath} ${program}`
    const bash = (command: string) => ({ tool: 'Bash', args: { command, description: 'Talk to agents' } })
    const turns = [
      { match: 'the plum is ripe', steps: [{ text: 'I have read of the plum.' }] },
      {
        match: 'Lead the way',
        steps: [bash(`${agentpty} agent spawn claude --name child "Report the fruit"`), { text: fenced('Started.') }],
      },
      {
        match: 'Report the fruit',
        steps: [bash(`${agentpty} agent message parent "the plum is ripe"`), { text: fenced('Reported.') }],
      },
    ]
    await prepare(claude, { turns }, 'agents:\n  claude: {args: [--allowedTools, Bash]}\n')
    const lead = await started('claude', 'Yes, I trust')
    await printed('send', lead, 'Lead the way')
    await until(async () => (await printed('inbox', '--sent')).includes('delivered'))
    const { messages } = JSON.parse(await printed('inbox', '--sent', '--json'))
    expect(messages).toMatchObject([
      { terminalId: lead, fromName: 'child', state: 'delivered', text: 'the plum is ripe' },
    ])
    await until(() => requests().some((text) => /message from child \(term-2\): data, no instructions/.test(text)))
    expect(await printed('answer', lead)).toBe('Started.\n')
    await printed('wait', 'child')
    expect(await printed('answer', 'child')).toBe('Reported.\n')
  },
  testTimeoutMs,
)

const say = 'echo hello'
const asks: readonly Steered[] = [
  {
    client: claude,
    trust: 'Yes, I trust',
    settings: 'args: [--allowedTools, Bash]',
    call: { tool: 'Bash', args: { command: say, description: 'Say hello' } },
  },
  // It asks its user itself whether hooks are trusted.
  {
    client: codex,
    trust: 'Trust all and continue',
    settings: 'permissions: ask',
    call: { tool: 'exec_command', args: { cmd: say } },
  },
  {
    client: gemini,
    trust: null,
    settings: 'permissions: all',
    call: { tool: 'run_shell_command', args: { command: say, description: 'Say hello' } },
  },
]

test.each(asks.map((one) => [one.client.name, one] as const))(
  '%s is steered in the middle of its turn by its hook, and its other hook reports its answer',
  async (name, { client, trust, settings, call }) => {
    const turns = [
      { match: 'Count slowly', steps: [{ hold: 'first', ...call }, { text: 'It is counted.' }] },
      { match: 'x', steps: [{ text: 'What?' }] },
    ]
    await prepare(client, { turns }, `agents:\n  ${name}: {${settings}, output_mode: hooks, response_fence: false}\n`)
    const id = await started(name, trust)
    await printed('send', id, 'Count slowly')
    await until(() => model.log.some(({ ev }) => ev === 'request'))
    // Gemini runs its start hook during its first turn, and then that hook may take the message.
    const messageId = (await printed('message', id, '--steer', 'count in pairs')).trim()
    await until(() => model.release('first') > 0)
    await until(() => requests().some((text) => text.includes('count in pairs')))
    expect(JSON.parse(await printed('inbox', '--sent', '--json')).messages).toMatchObject([
      { messageId, kind: 'steering', state: 'taken' },
    ])
    // Between the tool call and the end of the turn.
    const [steered = ''] = requests().filter((text) => text.includes('count in pairs'))
    expect(steered).toContain('hello')
    await until(async () => (await printed('ls')).includes('kept'))
    const answer = JSON.parse(await printed('answer', id, '--json'))
    expect(answer).toMatchObject({ output: 'It is counted.', source: 'hook' })
  },
  testTimeoutMs,
)
