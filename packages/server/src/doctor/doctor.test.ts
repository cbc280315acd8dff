import { TermError } from '@agentpty/protocol'
import { resolvePaths } from '@agentpty/protocol/home'
import type { ClientState, Finding } from '@agentpty/protocol/setup'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { examine, type Subject } from './doctor.ts'

const refusal = new TermError('daemon_gone', 'It does not start.', 'Run: agentpty doctor')

/** A machine on which nothing can be started. */
const subject: Subject = {
  paths: resolvePaths({ AGENTPTY_HOME: '/nowhere' }, 0),
  home: '/nowhere',
  userId: 0,
  env: {},
  version: '1.2.3',
  build: 'test',
  ownScript: null,
  clock: new FakeClock(),
  answerMs: 1_000,
  hostProgram: async () => {
    throw new TermError('host_missing', 'There is no ptyhost.', 'Install a compiler.')
  },
  explainConfig: () => {
    throw new TermError('invalid_input', 'config.yaml:2: there is no setting "x".', 'There are: a, b.')
  },
  policyFiles: () => [],
  audit: {
    folder: '/nowhere/audit',
    verify: async () => {
      throw new Error('there is nothing to verify')
    },
  },
  trySandbox: async () => null,
  connect: async () => {
    throw refusal
  },
  findAgents: async () => [],
  registered: async () => [],
}

const state = (more: Partial<ClientState>): ClientState => ({
  client: 'codex',
  title: 'Codex',
  path: '/x/config.toml',
  problem: null,
  isOpen: false,
  entries: [],
  ...more,
})

async function findings(more: Partial<Subject> = {}): Promise<readonly Finding[]> {
  const all: Finding[] = []
  for await (const finding of examine({ ...subject, ...more })) all.push(finding)
  return all
}

test('what a check trips over is what it found, with the move that the error names', async () => {
  expect(await findings()).toEqual(
    expect.arrayContaining([
      {
        group: 'machine',
        name: 'ptyhost',
        mark: 'wrong',
        found: 'There is no ptyhost.',
        advice: 'Install a compiler.',
      },
      expect.objectContaining({ name: 'configuration', mark: 'wrong', advice: 'There are: a, b.' }),
    ]),
  )
})

test('an error that sends to the doctor is not what the doctor says', async () => {
  const daemon = (await findings()).filter(({ group }) => group === 'daemon')
  expect(daemon).toEqual([
    {
      group: 'daemon',
      name: 'daemon',
      mark: 'wrong',
      found: 'It does not start.',
      advice: 'Look at /nowhere/daemon.log.',
    },
  ])
})

test('clients are judged by what their files say', async () => {
  const way = { kind: 'stdio', command: ['/nowhere/agentpty', 'mcp'], env: {}, cwd: null } as const
  const off = { name: 'termtile', isEnabled: false, way }
  const states = [
    state({}),
    state({ problem: 'cannot be read (line 3)' }),
    state({ entries: [off, { ...off, name: 'agentpty', isEnabled: true }, { ...off, isEnabled: true, way: null }] }),
  ]
  const found = (await findings({ registered: async () => states })).filter(({ group }) => group === 'clients')
  expect(found.map(({ mark, found }) => [mark, found])).toEqual([
    ['hint', 'not registered'],
    ['wrong', '/x/config.toml cannot be read (line 3)'],
    ['warn', 'termtile: turned off in /x/config.toml'],
    ['wrong', 'it names /nowhere/agentpty, which is not there'],
    ['wrong', 'termtile: /x/config.toml names neither a command nor an address'],
  ])
})

test('what a file says stays in one line and moves no cursor', async () => {
  const found = await findings({ registered: async () => [state({ problem: 'is\n\x1b[2Jbad' })] })
  expect(found.at(-1)?.found).toBe('/x/config.toml is [2Jbad')
})
