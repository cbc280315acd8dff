import { type AgentsSettings, adaptersFrom } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { withHooks } from './with-hooks.ts'

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

test('Claude is told of them by its flag, in words that start this agentpty', () => {
  const { command } = started('claude', { args: ['-x'], hooks: { on_check: 'agentpty hook check' } })
  expect(command.slice(0, 3)).toEqual(['claude', '-x', '--settings'])
  expect(command[3]).toContain("'/opt/agentpty' hook check --as")
})

test('Gemini is told of them by a file of ours', () => {
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

test('a program of which nobody knows how is refused with the next move', () => {
  expect(() => started('aider', { output_mode: 'hooks' })).toThrowError('Nobody knows how the agent aider')
})
