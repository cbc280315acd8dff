import { execFileSync } from 'node:child_process'
import { type Adapter, knownAdapters } from '@agentpty/protocol/agents'
import { type AgentsSettings, adapterOfCommand, adaptersFrom } from '@agentpty/protocol/testing'
import { describe, expect, test } from 'vitest'
import { planStart, withHooks } from './start-of.ts'

const tiny: Adapter = {
  ...adapterOfCommand('tiny', ['tiny', '--quiet']),
  modelFlag: '-m',
  models: ['small', 'large'],
  asksForAnswer: true,
  permissions: { ask: ['--ask'], edits: null, all: ['--all'] },
}

function plan(request: Partial<Parameters<typeof planStart>[0]>, adapter: Partial<Adapter> = {}) {
  return planStart({ agent: 'tiny', waitTimeoutMs: 1_000, ...request }, [{ ...tiny, ...adapter }])
}

test('an agent is started with its permissions, and typed to once it is idle', () => {
  expect(plan({ instruction: 'fix it', cwd: '/tmp', env: { A: '1' } })).toMatchObject({
    create: { command: ['tiny', '--quiet', '--ask'], cwd: '/tmp', env: { A: '1' } },
    instruction: 'fix it',
    given: null,
    asksForAnswer: true,
  })
})

test('Codex is given no flag twice where its user gives it a sandbox', () => {
  const codex = knownAdapters.find(({ name }) => name === 'codex')
  const { create } = plan({}, { ...codex, name: 'tiny', command: ['codex', '--sandbox', 'read-only'] })
  const flags = (create.command as readonly string[]).filter((word) => /^--(?!config$)/.test(word))
  expect(flags).toEqual(['--sandbox'])
})

describe('a first instruction that is not typed is in the command, with the request for its fences', () => {
  test.each<[Adapter['firstInstruction'], readonly string[]]>([
    [{ by: 'argument' }, ['tiny', '--quiet', '--ask', 'TEXT']],
    [{ by: 'flag', flag: '--task' }, ['tiny', '--quiet', '--ask', '--task', 'TEXT']],
  ])('%o', (firstInstruction, want) => {
    const { create, given } = plan({ instruction: 'fix it' }, { firstInstruction })
    const words = (create.command as readonly string[]).map((word) =>
      word.startsWith('fix it\n\nIMPORTANT') ? 'TEXT' : word,
    )
    expect(words).toEqual(want)
    expect(create.command?.at(-1)).toContain(`BEGIN-RESPONSE-${given?.nonce}`)
  })

  test('as its standard input', () => {
    const { create, given } = plan({ instruction: "it's", asksForAnswer: false }, { firstInstruction: { by: 'stdin' } })
    expect(create.command?.slice(-3)).toEqual(['tiny', '--quiet', '--ask'])
    expect(create.env).toEqual({ AGENTPTY_INSTRUCTION: "it's" })
    expect(given).toEqual({ nonce: null })
  })
})

test.each<[string, Partial<Parameters<typeof plan>[0]>, Partial<Adapter>, readonly string[]]>([
  ['a model', { model: 'large' }, {}, ['tiny', '--quiet', '--ask', '-m', 'large']],
  ['a model by default', {}, { defaultModel: 'small' }, ['tiny', '--quiet', '--ask', '-m', 'small']],
  ['all permissions, by its settings', {}, { permissionMode: 'all' }, ['tiny', '--quiet', '--all']],
])('with %s', (_name, request, adapter, command) => {
  expect(plan(request, adapter).create.command).toEqual(command)
})

test('a conversation that can begin under an id does', () => {
  const conversations = { begin: ['--id={id}'], resume: null, fork: null }
  const { create, conversation } = plan({}, { conversations })
  expect(create.command?.at(-1)).toBe(`--id=${conversation}`)
  expect(conversation).toMatch(/^[0-9a-f-]{36}$/)
})

test('by the user’s shell every word stays the same', () => {
  const words = ["it's", 'a "b"', '$HOME `id`', 'x\\y', '']
  const { create } = plan({}, { throughShell: true, command: ['printf', '%s|', ...words] })
  const env = { ...process.env, SHELL: '/bin/bash' }
  const printed = execFileSync('/bin/sh', ['-c', String(create.command)], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  expect(printed.toString()).toBe([...words, '--ask', ''].join('|'))
})

test('any command line is an agent as well', () => {
  expect(plan({ agent: 'cat -n' })).toMatchObject({
    create: { command: 'cat -n' },
    adapter: null,
    asksForAnswer: false,
  })
})

test.each<[string, Partial<Parameters<typeof plan>[0]>, Partial<Adapter>, RegExp]>([
  ['a model that it does not have', { model: 'huge' }, {}, /no model "huge"/],
  ['a model where none can be chosen', { model: 'x' }, { modelFlag: null }, /No model can be chosen/],
  ['a model of any command', { agent: 'cat', model: 'x' }, {}, /Nothing is known of the models of cat/],
  ['permissions that it does not have', {}, { permissionMode: 'edits' }, /no permissions "edits"/],
  ['an agent and a command', { command: 'ls' }, {}, /An agent and a command/],
])('%s is refused', (_name, request, adapter, message) => {
  expect(() => plan(request, adapter)).toThrow(message)
})

const saved: string[] = []
const hooking = {
  ownCommand: "'/opt/agentpty'",
  store: {
    saveSettings: (type: string, text: string) => {
      saved.push(text)
      return `/state/${type}.settings.json`
    },
  },
}

function started(name: string, settings: AgentsSettings[string], env: Record<string, string> = {}) {
  const adapter = adaptersFrom({ [name]: settings }).find((one) => one.name === name)
  if (adapter === undefined) throw new Error(`no adapter ${name}`)
  return withHooks(adapter, env, hooking)
}

test('an agent without hooks is started as ever', () => {
  expect(started('claude', {}).command).toEqual(['claude'])
  expect(started('claude', { output_mode: 'hooks', hook_delivery: 'none' }).command).toEqual(['claude'])
})

test('Claude gets them by its flag, in words that start this agentpty', () => {
  const { command } = started('claude', { args: ['-x'], hooks: { on_check: 'agentpty hook check' } })
  expect(command.slice(0, 3)).toEqual(['claude', '-x', '--settings'])
  expect(command[3]).toContain("'/opt/agentpty' hook check --as")
})

test('Gemini gets them by a file of ours', () => {
  const { command, env } = started('gemini', { output_mode: 'hooks' })
  expect(command).toEqual(['gemini'])
  expect(env).toEqual({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/state/gemini.settings.json' })
  expect(Object.keys(JSON.parse(saved.at(-1) ?? '').hooks)).toEqual(['SessionStart', 'AfterTool', 'AfterAgent'])
})

test.each([
  ['a flag that its user gives already', () => started('claude', { args: ['--settings', 'x'], output_mode: 'hooks' })],
  [
    'a variable that is set already',
    () => started('gemini', { output_mode: 'hooks' }, { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/etc/x' }),
  ],
])('nothing takes the place of %s', (_what, start) => {
  expect(start).toThrowError(/have no place: .* is in use already/)
})

test('a program without a known way to take hooks is refused with the next move', () => {
  expect(() => started('aider', { output_mode: 'hooks' })).toThrowError('agentpty does not know how the agent aider')
})
