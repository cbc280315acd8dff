import { explainAdapters } from '@agentpty/protocol/home'
import type { AgentProgram } from '@agentpty/protocol/setup'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { examineAgents, findAgents, versionIn } from './agent-programs.ts'

test.each([
  ['the number alone', '2.1.329 (Claude Code)\n', '2.1.329'],
  ['the number behind a name', 'codex-cli 0.169.0\n', '0.169.0'],
  ['without the full stop of a sentence', 'GitHub Copilot CLI 1.0.102.\nRun an update.\n', '1.0.102'],
  ['with what comes before a release', 'v1.2.0-rc.3+7\n', '1.2.0-rc.3+7'],
  ['a first line that has no number', '\nnightly build\n', 'nightly build'],
  ['nothing', '\n', null],
])('of what a program says, its version is %s', (_what, said, version) => expect(versionIn(said)).toBe(version))

/** The agents by a configuration, on a machine without any program but a shell. */
async function agents(text: string): Promise<readonly AgentProgram[]> {
  const adapters = explainAdapters({ path: '/c/config.yaml', text })
  return Promise.all(findAgents(adapters, { env: { PATH: '/bin' }, clock: new FakeClock() }))
}

test('a known agent that is not installed is no problem, unless it was set in the configuration', async () => {
  const found = await agents('agents:\n  gemini: {default_model: flash}\n')
  expect(found.find(({ name }) => name === 'claude')).toEqual({
    name: 'claude',
    title: 'Claude Code',
    description: null,
    command: ['claude'],
    path: null,
    version: null,
    models: [],
    defaultModel: null,
    permissions: 'ask',
    origin: null,
    problem: null,
  })
  expect(found.find(({ name }) => name === 'gemini')).toMatchObject({
    defaultModel: 'flash',
    origin: '/c/config.yaml:2',
    problem: { what: 'command not found: gemini', advice: '/c/config.yaml:2: install it, or set its command.' },
  })
})

test.each([
  [
    'permissions that it does not have',
    'x: {command: sh, permissions: all}',
    'it has no permissions "all"',
    'to one of: ask.',
  ],
  [
    'a default that is none of its models',
    'x: {command: sh, models: [a, b], default_model: c}',
    'its default model c is none of its models',
    'to one of: a, b.',
  ],
  ['a command that is not there', 'x: {command: nosuch}', 'command not found: nosuch', 'set its command.'],
  [
    'a command that only a shell may know',
    'x: {command: nosuch, spawn_mode: window}',
    'command not found: nosuch',
    'start-up files',
  ],
])('an agent with %s cannot be started, and the next move is named', async (_what, text, what, advice) => {
  const found = (await agents(`agents:\n  ${text}\n`)).find(({ name }) => name === 'x')
  expect(found?.problem).toEqual({ what, advice: expect.stringContaining(advice) })
})

test('any other command is not asked for its version: it might begin its work', async () => {
  const found = (await agents('agents:\n  x: {command: sh}\n')).find(({ name }) => name === 'x')
  expect(found).toMatchObject({ path: '/bin/sh', version: null, problem: null })
})

test('the doctor names the agents that are here, and what keeps one from being started', async () => {
  const seen = async (text: string) => {
    const all = []
    for await (const one of examineAgents({ findAgents: async () => (await agents(text)).map(async (one) => one) }))
      all.push(one)
    return all
  }
  expect(await seen('')).toMatchObject([{ mark: 'hint', found: 'none found here' }])
  expect(await seen('agents:\n  x: {command: sh}\n  y: {command: nosuch}\n')).toMatchObject([
    { mark: 'ok', found: 'x' },
    { mark: 'warn', found: 'y: command not found: nosuch' },
  ])
  expect(await seen('agents: 3\n')).toMatchObject([{ mark: 'wrong', advice: expect.stringContaining('config schema') }])
})
