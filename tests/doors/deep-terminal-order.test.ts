/**
 * The order of refusals of the deep terminal's door, word for word as in that system's document: errors of the call, the
 * profile, its own list, the files of the repository, a person, and only then the session.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sendBytesMax } from '@agentpty/protocol'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { callForText } from './text-door.ts'

const instance = scratchInstance()
let client: Client

const folder = join(instance.user, '.codebuddy')
const security = join(folder, 'security.json')
const permissions = join(folder, 'permissions.json')

const act = async (input: object) => (await callForText(client, 'deep_terminal', input)).text

beforeAll(async () => {
  mkdirSync(folder)
  client = await instance.door('deep-terminal')
  for (const sessionId of ['running', 'ended']) await act({ action: 'start', sessionId })
  await act({ action: 'execute', sessionId: 'ended', command: 'exit 0' })
  await until(async () => (await act({ action: 'read', sessionId: 'ended' })).includes('Session closed with code 0'))
})

/** The content of the two files; null for no file. */
interface Files {
  readonly security: object | null
  readonly permissions: object | null
}

const noFiles: Files = { security: null, permissions: null }

let writes = 0

/** Resolves when the rules apply. */
async function write({ security: first, permissions: second }: Files): Promise<void> {
  writes += 1
  // In the profile that refuses everything, a rule could not be distinguished from it.
  rmSync(permissions, { force: true })
  rmSync(security, { force: true })
  const rules = join(instance.user, '.agentpty', 'policy.yaml')
  mkdirSync(dirname(rules), { recursive: true })
  writeFileSync(rules, `deny: [probe-${writes}]\n`)
  await answers(`probe-${writes}`, 'Blocked by external security policy')
  if (first !== null) writeFileSync(security, JSON.stringify(first))
  if (second !== null) writeFileSync(permissions, JSON.stringify(second))
  const isRestricted = JSON.stringify(second).includes('restricted')
  writeFileSync(rules, `deny: [again-${writes}]\n`)
  await answers(`again-${writes}`, isRestricted ? 'disabled' : 'Blocked by external security policy')
}

const answers = (command: string, text: string) =>
  until(async () => (await act({ action: 'execute', sessionId: 'none', command })).includes(text))

const sessions = ['none', 'running', 'ended'] as const
type SessionId = (typeof sessions)[number]

/** Each way to run a command. */
const ways: readonly ((sessionId: SessionId, command: string) => Promise<string>)[] = [
  (sessionId, command) => act({ action: 'execute', sessionId, command }),
  (sessionId, command) => act({ action: 'execute', sessionId, command, waitMs: 5_000 }),
  (sessionId, command) => act({ action: 'sendCommandAndWait', sessionId, command }),
  async (sessionId, command) => (await callForText(client, 'sendCommandAndWait', { sessionId, command })).text,
]

const dangerous = (command: string) =>
  `Error: Blocked dangerous command: "${command}". This command matches a restricted pattern and cannot be executed.`
const external = (command: string) =>
  `Error: Blocked by external security policy: "${command}". Check .codebuddy/security.json for configured deny patterns.`
const scope = (command: string) => `Error: Blocked by permission scope (standard): "${command}".`
const disabled =
  'Error: Terminal commands are disabled in "restricted" permission profile. Change the permission profile or update .codebuddy/permissions.json.'

type Row = readonly [name: string, files: Files, command: string, begins: string]

const docker = { commandDenyPatterns: ['docker\\s+push'] }

describe('before the session is looked up', () => {
  const rows: readonly Row[] = [
    ['its own list', noFiles, 'rm -rf /', dangerous('rm -rf /')],
    ['security.json', { ...noFiles, security: docker }, 'docker push x', external('docker push x')],
    [
      'security.json, in either case of letters',
      { ...noFiles, security: { commandDenyPatterns: ['Docker\\s+PUSH'] } },
      'docker Push X',
      external('docker Push X'),
    ],
    ['permissions.json', { ...noFiles, permissions: docker }, 'docker push x', scope('docker push x')],
    ['its own list, in either case of letters', noFiles, 'RM -RF /', dangerous('RM -RF /')],
    ['the profile', { ...noFiles, permissions: { profile: 'restricted' } }, 'touch x', disabled],
    ['the profile, before its own list', { ...noFiles, permissions: { profile: 'restricted' } }, 'rm -rf /', disabled],
    [
      'the profile, before the files',
      { security: docker, permissions: { profile: 'restricted' } },
      'docker push x',
      disabled,
    ],
    [
      'its own list, before the files',
      { ...noFiles, security: { commandDenyPatterns: ['rm'] } },
      'rm -rf /',
      dangerous('rm -rf /'),
    ],
    ['the files, before a person', { ...noFiles, security: { commandDenyPatterns: ['rm'] } }, 'rm x', external('rm x')],
    ['a person', noFiles, 'rm asked', 'Error: A person must allow this first (deletion): rm asked'],
  ]
  test.each(rows)('%s refuses', async (_name, files, command, begins) => {
    await write(files)
    for (const sessionId of sessions)
      for (const way of ways) expect((await way(sessionId, command)).slice(0, begins.length), sessionId).toBe(begins)
  })
})

test('a person is asked for a missing session, and only their answer counts', async () => {
  await write(noFiles)
  const asking = await instance.rpc()
  const answer = async (sessionId: SessionId, verdict: 'allow' | 'deny') => {
    const command = `rm ${verdict}`
    expect(await act({ action: 'execute', sessionId, command })).toContain('A person must allow this first')
    const { approvals } = await asking.call('approvals', {})
    await instance.cli('approvals', 'answer', approvals.at(-1)?.approvalId ?? '', verdict)
    return act({ action: 'execute', sessionId, command })
  }
  for (const sessionId of sessions)
    expect(await answer(sessionId, 'deny')).toBe('Error: Command cancelled — user denied execution.')
  expect(await answer('none', 'allow')).toBe('Error: Session none not found. Please start it first.')
  expect(await answer('ended', 'allow')).toBe('Error: Session ended stdin is not writable.')
  expect(await answer('running', 'allow')).toBe('Command sent to session running')
})

test('an allowed command is passed to the session', async () => {
  await write(noFiles)
  for (const way of ways) {
    expect(await way('none', 'echo hi')).toBe('Error: Session none not found. Please start it first.')
    expect(await way('ended', 'echo hi')).toBe('Error: Session ended stdin is not writable.')
  }
})

test.each<[string, object, string]>([
  ['no command', { action: 'execute', sessionId: 'none' }, 'Error: Command required for execute action.'],
  [
    'an empty one',
    { action: 'execute', sessionId: 'none', command: '' },
    'Error: Command required for execute action.',
  ],
  ['no session', { action: 'execute', command: 'rm -rf /' }, 'Error: deep_terminal: sessionId: name the session'],
  ['no such action', { action: 'run', sessionId: 'none', command: 'rm -rf /' }, 'Error: deep_terminal: action: '],
  [
    'a command without end',
    { action: 'execute', sessionId: 'none', command: `rm -rf / ${'x'.repeat(sendBytesMax)}` },
    'Error: deep_terminal: command: Too big',
  ],
  [
    'a time that is none',
    { action: 'execute', sessionId: 'none', command: 'rm -rf /', waitMs: -1 },
    'Error: deep_terminal: waitMs: ',
  ],
])('%s is reported before anything is judged', async (_what, input, begins) => {
  expect((await act(input)).slice(0, begins.length)).toBe(begins)
})

test.each(['read', 'terminate'])('%s of a missing session is not judged', async (action) => {
  expect(await act({ action, sessionId: 'none' })).toBe('Session none not found.')
})

test('a long command is judged as a whole, unlike in that system', async () => {
  await write(noFiles)
  const command = `rm -rf /;${' '.repeat(20_000)}echo done`
  expect(await act({ action: 'execute', sessionId: 'none', command })).toContain('Blocked dangerous command')
})
