import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolDescription, Toolset } from '@agentpty/protocol/mcp'
import { noGates } from '@agentpty/protocol/testing'
import { noRules, type PolicyRules } from '@agentpty/shell-policy'
import { type RuleTexts, rulesOf } from '@agentpty/shell-policy/testing'
import { expect, onTestFinished, test } from 'vitest'
import { inTime, openFakeEngine } from '../fake-engine.ts'
import { heldBy } from './judge-start.ts'
import { policyGuard } from './policy-guard.ts'

function walls(writable: readonly string[]) {
  const limits = { memoryBytes: null, processes: 10, cpuSeconds: null, fileBytes: 0 }
  return heldBy({
    network: 'off',
    writable: [...writable],
    readOnly: [],
    hidden: [],
    limits,
    proxyFolder: null,
    taskFolder: null,
  })
}

test('what can only be read is held; what can be written, what holds it, and what is the sandbox’s own are not', () => {
  const isHeld = walls(['/srv/app'])
  expect(['/usr/lib/x', '/home/dev/.bashrc', '/srv/other'].filter((path) => !isHeld(path))).toEqual([])
  expect(['/srv/app', '/srv/app/src/x', '/srv', '/', '/tmp/x', '/dev/shm/x'].filter(isHeld)).toEqual([])
})

test('a link from outside into what can be written is followed', () => {
  const folder = realpathSync(mkdtempSync(join(process.cwd(), 'build-walls-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'app'))
  symlinkSync(join(folder, 'app'), join(folder, 'link'))
  const isHeld = walls([join(folder, 'app')])
  expect([isHeld(join(folder, 'link')), isHeld(join(folder, 'link/not/there'))]).toEqual([false, false])
})

const tools: readonly ToolDescription[] = [
  { name: 'look', description: '', inputSchema: { type: 'object' }, becomes: ['list'] },
]

/** A door with one tool, which lists terminals, and in its own way reports being refused. */
const door: Toolset = {
  name: 'tty-use',
  instructions: '',
  tools,
  answerRefused: ({ message }) => ({ text: `no: ${message}`, isError: true }),
  call: async (_tool, _input, { client }) => ({ text: `${(await client.call('list', {})).terminals.length}` }),
}

/** Tools that rules keep from agents, as calls meet them. */
function openServer(rulesFor: (folders: readonly string[]) => PolicyRules) {
  const guardsOf: Parameters<typeof openFakeEngine>[1] = ({ host, clock, approvals }) => [
    policyGuard({
      host,
      clock,
      approvals,
      rulesFor,
      walls: { settle: () => null },
      gates: { ...noGates, keepsFiles: true },
    }),
  ]
  return openFakeEngine({}, guardsOf, { toolset: async () => door })
}

const withRules = (texts: RuleTexts) => openServer(() => rulesOf(texts))

test('a tool that is denied is refused with the rule, its file and the next move', async () => {
  const { client } = withRules({ user: 'tools:\n  deny: [terminal_list]' })
  await expect(client.call('list', {})).rejects.toMatchObject({
    code: 'denied',
    message: 'The policy refuses this (tool-rule): terminal_list',
    hint: expect.stringMatching(/use another, or ask the person\. It is written in .*\/config\.yaml, line 3\.$/),
  })
})

test.each([
  ['its own name', 'tools: {deny: [look]}', 'look'],
  ['the tool that it becomes', 'tools: {deny: [terminal_list]}', 'look (terminal_list)'],
  ['the verb that it becomes', 'tools: {deny: [list]}', 'look (terminal_list)'],
  ['not being among the only ones', 'tools: {only: [terminal_list]}', 'look'],
])('a tool of a door is refused for %s, in the words of the door', async (_why, user, what) => {
  const { client } = withRules({ user })
  const text = `no: The policy refuses this (tool-rule): ${what}`
  expect(await client.tools.call('tty-use', 'look', {})).toEqual({ text, isError: true })
})

test('a tool of a door that is let through brings with it what it is made of', async () => {
  const { client } = withRules({ user: 'tools: {only: [look]}' })
  expect(await client.tools.call('tty-use', 'look', {})).toEqual({ text: '0' })
  await expect(client.call('list', {})).rejects.toMatchObject({ code: 'denied' })
})

test('a verb without a tool is denied by its name, and no tool that must be listed', async () => {
  const renaming = { terminalId: 'term-1', name: 'other' }
  await expect(withRules({ user: 'tools: {deny: [rename]}' }).client.call('rename', renaming)).rejects.toMatchObject({
    code: 'denied',
  })
  await expect(withRules({ user: 'tools: {only: [x]}' }).client.call('rename', renaming)).rejects.toMatchObject({
    code: 'session_not_found',
  })
})

test('a person may call what agents may not', async () => {
  const { client } = withRules({ user: 'tools: {deny: ["*"]}' })
  expect(await client.call('list', {}, { isPerson: true })).toEqual({ terminals: [] })
})

test('the rules of the folder that a terminal is in count for it, wherever its caller is', async () => {
  const inRepository = rulesOf({ repository: 'tools: {deny: [terminal_close]}' })
  const engine = openServer((folders) => (folders.includes('/usr') ? inRepository : noRules))
  const { client } = engine
  for (const cwd of ['/usr', '/tmp'])
    await inTime(engine, client.call('create', { cwd, command: ['cat'], waitFor: 'none' }))
  await expect(client.call('close', { terminalId: 'term-1' })).rejects.toMatchObject({ code: 'denied' })
  await expect(client.call('close', { terminalIds: ['term-2', 'term-1'] })).rejects.toMatchObject({ code: 'denied' })
  expect(await inTime(engine, client.call('close', { terminalId: 'term-2' }))).toMatchObject({ closed: ['term-2'] })
})
