/** Tools denied to agents by a rule: not listed, refused, and notified on a change, over each transport. */

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsetNames } from '@agentpty/protocol/mcp'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Era, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const config = join(instance.home, 'config.yaml')
const policyFile = join(instance.user, '.agentpty', 'policy.yaml')
const codebuddyFile = join(instance.user, '.codebuddy', 'permissions.json')
const files = [config, policyFile, codebuddyFile]

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

/** A client does not fetch its list again within its time to live, unless notified. */
const namesOf = async (client: Client) =>
  (await client.listTools({}, { cacheMode: 'refresh' })).tools.map(({ name }) => name)

const listedIs = (client: Client, tool: string, isListed: boolean) =>
  until(async () => (await namesOf(client)).includes(tool) === isListed)

/** The model's view of a refused call, from a result or a protocol error. */
async function refusalOf(client: Client, name: string, input: object = {}): Promise<string> {
  try {
    const { isError, content } = await client.callTool({ name, arguments: { ...input } })
    assert.equal(isError, true, JSON.stringify(content))
    return (content as readonly { readonly text: string }[]).map(({ text }) => text).join()
  } catch (error) {
    return String(error)
  }
}

/** A client with all tools, and their number. */
let everything: Client
let count: number

beforeAll(async () => {
  everything = await instance.door(toolsetNames.join())
  count = (await namesOf(everything)).length
})

afterEach(async () => {
  for (const file of files) rmSync(file, { force: true })
  // Files are checked twice a second.
  await until(async () => (await namesOf(everything)).length === count)
})

type Connect = () => Promise<Client>

const ways: readonly (readonly [way: string, era: Era, connect: Connect])[] = (['old', 'new'] as const).flatMap(
  (era) => [
    ['stdio', era, async () => (await instance.mcp(era)).protocol],
    ['HTTP', era, async () => (await instance.http(era)).protocol],
  ],
)

describe.each(ways)('over %s in the %s era', (_way, _era, connect) => {
  test('a denied tool is neither listed nor callable, until the rule is removed', async () => {
    const client = await connect()
    expect(await namesOf(client)).toContain('terminal_resize')
    write(config, 'policy:\n  tools:\n    deny: [terminal_resize, signal]\n')
    await listedIs(client, 'terminal_resize', false)
    const refused = await refusalOf(client, 'terminal_resize', { terminalId: 'term-1', cols: 90, rows: 30 })
    expect(refused).toMatch(/The policy refuses this \(tool-rule\): terminal_resize \[au-\w+\]/)
    expect(refused).toMatch(/use another, or ask the person\. It is written in .*\/config\.yaml, line 3\./)
    rmSync(config)
    await listedIs(client, 'terminal_resize', true)
  })

  test('a client is notified that its tools have changed, each time', async () => {
    const client = await connect()
    let notified = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      notified += 1
    })
    if (_era === 'new') await client.listen({ toolsListChanged: true })
    write(config, 'policy:\n  tools: {only: [terminal_run]}\n')
    await until(() => notified === 1)
    await listedIs(client, 'terminal_read', false)
    expect(await namesOf(client)).toEqual(['terminal_run'])
    rmSync(config)
    await until(() => notified === 2)
  })
})

test('a rule that changes no list causes no notification', async () => {
  const { protocol } = await instance.mcp('old')
  let notified = 0
  protocol.setNotificationHandler('notifications/tools/list_changed', () => {
    notified += 1
  })
  write(config, 'policy:\n  tools: {deny: [nothing_of_ours]}\n')
  // By then the daemon has checked twice as often as needed.
  for (let look = 0; look < 2; look++) {
    write(policyFile, 'tools: {deny: [tty_use]}\n')
    await listedIs(everything, 'tty_use', false)
    rmSync(policyFile)
    await listedIs(everything, 'tty_use', true)
  }
  assert.equal(notified, 0)
  write(config, 'policy:\n  tools: {deny: [terminal_wait]}\n')
  await until(() => notified > 0)
  assert.equal(notified, 1)
})

describe('doors', () => {
  test.each(toolsetNames)('all tools of %s are removed by one rule, and restored', async (toolset) => {
    const client = await instance.door(toolset)
    const all = await namesOf(client)
    assert.ok(all.length > 0)
    write(config, 'policy:\n  tools: {deny: ["*"]}\n')
    await until(async () => (await namesOf(client)).length === 0)
    for (const name of all)
      expect(await refusalOf(client, name)).toMatch(/\(tool-rule\): .*ask the person.*config\.yaml/)
    rmSync(config)
    await until(async () => (await namesOf(client)).length === all.length)
  })

  /** The denied verbs, and the tools removed for them. */
  test.each([
    ['tty-use', 'tty_use', ['tty_use']],
    ['tty-use', 'create', ['tty_use']],
    ['terminalcp', 'terminalcp', ['terminalcp']],
    ['deep-terminal', 'deep_terminal', ['deep_terminal']],
    ['deep-terminal', 'terminal_run', ['sendCommandAndWait']],
    ['termtile', 'kill_agent', ['kill_agent']],
    ['termtile', 'terminal_close', ['kill_agent']],
    ['termtile', 'list', ['list_agents']],
    ['termtile', 'terminal_s*', ['send_to_agent', 'read_from_agent']],
    ['terminal-agent', 'changeLineage', ['graph_create_group', 'graph_create_agent', 'graph_update', 'graph_move']],
    ['terminal-agent', 'terminal_send', ['terminal_send', 'terminal_type']],
  ])('%s without %s has no %j', async (toolset, denied, gone) => {
    const client = await instance.door(toolset)
    const all = await namesOf(client)
    write(config, `policy:\n  tools: {deny: ["${denied}"]}\n`)
    await listedIs(client, gone[0] ?? '', false)
    const left = await namesOf(client)
    expect(all.filter((name) => !left.includes(name))).toEqual(gone)
    for (const name of gone) expect(await refusalOf(client, name)).toContain('(tool-rule)')
  })

  test('an action of a tool with several is refused by the verb that it becomes', async () => {
    const client = await instance.door('deep-terminal')
    const act = async (action: object) =>
      (await client.callTool({ name: 'deep_terminal', arguments: { sessionId: 'one', ...action } })).content
    expect(await act({ action: 'start' })).toMatchObject([{ text: 'Session one started successfully.' }])
    write(policyFile, 'tools: {deny: [terminal_close, terminal_send]}\n')
    const other = { action: 'terminate', sessionId: 'none' }
    await until(async () => JSON.stringify(await act(other)).includes('(tool-rule): terminal_close'))
    expect(await act({ action: 'execute', command: 'echo' })).toMatchObject([
      {
        text: expect.stringMatching(
          /^Error: The policy refuses this \(tool-rule\): terminal_send .*policy\.yaml, line 1/,
        ),
      },
    ])
    expect(await act({ action: 'execute', command: 'echo hi', waitMs: 5_000 })).toMatchObject([
      { text: expect.stringContaining('hi\nExit Code: 0') },
    ])
  })

  test('a door’s internal calls are not tools of its caller', async () => {
    write(config, 'policy:\n  tools: {deny: [terminal_list, terminal_read, terminal_wait]}\n')
    const agents = await instance.door('termtile')
    const killing = { slot: 4, workspace: 'none' }
    expect(await refusalOf(agents, 'kill_agent', killing)).toContain('no agent tracked')
    const client = await instance.door('tty-use')
    const { content } = await client.callTool({ name: 'tty_use', arguments: { input: 'echo typed' } })
    expect(content).toMatchObject([{ text: expect.stringContaining('typed') }])
  })
})

test('tools blocked by CodeBuddy are removed in its folder, whatever the case of their letters', async () => {
  const client = await instance.door('deep-terminal')
  write(codebuddyFile, '{"toolBlocklist": ["MANAGE_terminal"]}')
  await listedIs(client, 'manage_terminal', false)
  expect(await namesOf(client)).toEqual(['deep_terminal', 'sendCommandAndWait'])
  expect(await refusalOf(client, 'manage_terminal')).toContain('.codebuddy/permissions.json, line 1')
})

test('the tool that asks a person is listed and refused like the others', async () => {
  const { protocol } = await instance.mcp('old', undefined, { elicitation: {} })
  expect(await namesOf(protocol)).toContain('terminal_ask_person')
  write(config, 'policy:\n  tools: {deny: [terminal_ask_person]}\n')
  await listedIs(protocol, 'terminal_ask_person', false)
  expect(await refusalOf(protocol, 'terminal_ask_person', { terminalId: 'term-1' })).toContain('(tool-rule)')
})

test('terminalcp’s commands from an agent are refused in its own words', async () => {
  write(config, 'policy:\n  tools: {deny: [terminalcp]}\n')
  const client = await instance.rpc()
  await until(async () => (await client.tools.call('terminalcp', 'terminalcp', { action: 'version' })).isError === true)
})

test('a refusal is in the journal, with its reason', async () => {
  const client = await instance.door('tty-use')
  write(config, 'policy:\n  tools: {only: [terminal_*]}\n')
  await listedIs(client, 'tty_use', false)
  const [, id = ''] = /\[(au-\w+)\]/.exec(await refusalOf(client, 'tty_use')) ?? []
  let stdout = ''
  await until(async () => {
    stdout = (await instance.cli('policy', 'why', id)).stdout
    return stdout !== ''
  })
  expect(stdout).toMatch(/what +the tool tty_use, folder/)
  expect(stdout).toMatch(/rule +tool-rule \(.*config\.yaml:2\)/)
})

test('agentpty policy files lists the denied tools, and the line that denies each', async () => {
  write(config, 'policy:\n  tools: {deny: [terminal_close, tty_use]}\n')
  const { stdout } = await instance.cli('policy', 'files')
  expect(stdout).toContain(`terminal_close of terminal (${config}:2)`)
  expect(stdout).toContain(`kill_agent (terminal_close) of agents (${config}:2)`)
  expect(stdout).toContain(`kill_agent (terminal_close) of termtile (${config}:2)`)
  const { keptTools } = JSON.parse((await instance.cli('policy', 'files', '--json')).stdout)
  expect(keptTools.map(({ tool }: { tool: string }) => tool)).toEqual([
    'terminal_close',
    'kill_agent',
    'terminal_close',
    'kill_agent',
    'tty_use',
  ])
})
