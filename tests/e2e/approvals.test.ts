/** Calls of agents that need a person: asked through their own client, on the command line, and through every door. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { type Era, program, until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { workspaceIn } from '../harness/workspace.ts'

const instance = scratchInstance()

const workspace = () => workspaceIn(instance.user)

type Person = (asked: ElicitRequest['params']) => ElicitResult

async function withPerson(way: 'stdio' | 'HTTP', era: Era, person: Person): Promise<McpCaller> {
  const capabilities = { elicitation: { form: {} } }
  const caller =
    way === 'stdio' ? await instance.mcp(era, program, capabilities) : await instance.http(era, '', capabilities)
  caller.protocol.setRequestHandler('elicitation/create', ({ params }) => person(params))
  return caller
}

const ways = (['stdio', 'HTTP'] as const).flatMap((way) => (['new', 'old'] as const).map((era) => [way, era] as const))

describe.each(ways)('an agent’s client over %s in the %s era', (way, era) => {
  test('puts the question to its person, and the call continues after their consent', async () => {
    const cwd = workspace()
    const asked: string[] = []
    const caller = await withPerson(way, era, ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { answer: 'allow once' } }
    })
    const { terminalId } = await caller.call('create', { cwd })
    await caller.call('send', { terminalId, text: 'rm precious' })
    expect(existsSync(join(cwd, 'precious'))).toBe(false)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain(
      `Allow this in ${terminalId} (folder ${cwd})?\n→ deletes precious (5 bytes)\nrm precious\ndeletion: It deletes files.\n`,
    )
  })

  test('lets its person allow similar calls for a while', async () => {
    const cwd = workspace()
    const choices: unknown[] = []
    const caller = await withPerson(way, era, (asked) => {
      choices.push(asked)
      return { action: 'accept', content: { answer: 'allow the like here for 8 hours' } }
    })
    const { terminalId } = await caller.call('create', { cwd })
    for (const text of ['rm precious', 'rm another']) await caller.call('send', { terminalId, text })
    expect(existsSync(join(cwd, 'precious'))).toBe(false)
    expect(JSON.stringify(choices)).toMatch(
      /deletes precious \(5 bytes\).*The like: rm \*.*allow this here for 8 hours/,
    )
    expect(choices).toHaveLength(1)
  })

  test('receives a refusal when the person refuses, and nothing is run', async () => {
    const cwd = workspace()
    const caller = await withPerson(way, era, () => ({ action: 'decline' }))
    const { terminalId } = await caller.call('create', { cwd })
    await expect(caller.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
      code: 'not_approved',
    })
    expect(existsSync(join(cwd, 'precious'))).toBe(true)
  })

  test.each<[string, ElicitResult]>([
    ['its person closes the question', { action: 'cancel' }],
    ['it accepts without an answer', { action: 'accept', content: {} }],
  ])('leaves the approval open when %s', async (_when, result) => {
    const cwd = workspace()
    let times = 0
    const caller = await withPerson(way, era, () => {
      times += 1
      return result
    })
    const { terminalId } = await caller.call('create', { cwd })
    await expect(caller.call('run', { terminalId, command: 'rm precious' })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    expect(times).toBe(1)
    const { approvals } = await (await instance.rpc()).call('approvals', {})
    const open = approvals.find((one) => one.terminalId === terminalId)
    assert.ok(open)
    expect((await instance.cli('approvals', 'answer', open.approvalId, 'allow')).stdout).toContain('allowed')
    await caller.call('run', { terminalId, command: 'rm precious' })
    expect(existsSync(join(cwd, 'precious'))).toBe(false)
  })
})

test('a client without a person receives what it waits for, and continues after a person has allowed it', async () => {
  const cwd = workspace()
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', { cwd })
  const deleting = () => caller.call('send', { terminalId, text: 'rm precious' })
  await expect(deleting()).rejects.toMatchObject({
    code: 'needs_approval',
    message: expect.stringMatching(/rm precious.*\n→ deletes precious.*\nIt was not done/),
  })
  const { stdout } = await instance.cli('approvals')
  expect(stdout).toMatch(
    new RegExp(
      `wants to type this in ${terminalId}, folder ${cwd}:\\n    → deletes precious .*\\n    rm precious\\n    deletion: It deletes files\\.`,
    ),
  )
  const { approvals } = JSON.parse((await instance.cli('approvals', '--json')).stdout)
  const { approvalId } = approvals.at(-1)
  const answer = await instance.cli('approvals', 'answer', approvalId, 'allow', '--json')
  expect(JSON.parse(answer.stdout)).toMatchObject({ approval: { state: 'allowed', terminalId } })
  await deleting()
  expect(existsSync(join(cwd, 'precious'))).toBe(false)
  expect((await instance.cli('approvals', 'answer', approvalId, 'deny')).stderr).toContain('has allowed it already')
})

test('an approval ends with its terminal, and with no other', async () => {
  const caller = await instance.mcp()
  const ids: string[] = []
  for (const name of ['ends', 'stays']) {
    const { terminalId } = await caller.call('create', { cwd: workspace() })
    await expect(caller.call('send', { terminalId, text: `rm ${name}` })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    ids.push(terminalId)
  }
  const open = async () => (await instance.cli('needs')).stdout.match(/rm (?:ends|stays)/g)
  expect(await open()).toEqual(['rm ends', 'rm stays'])
  await caller.call('close', { terminalId: ids[0] })
  expect(await open()).toEqual(['rm stays'])
  await caller.call('close', { terminalId: ids[1] })
})

test('a person sees the effects, allows similar calls for a while, and revokes that', async () => {
  const cwd = workspace()
  mkdirSync(join(cwd, 'build'))
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(cwd, 'build', name), 'x'.repeat(500))
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { cwd })
  const remove = (name: string) => client.call('send', { terminalId, text: `rm build/${name}` })
  await expect(remove('a')).rejects.toMatchObject({ code: 'needs_approval' })
  const { stdout } = await instance.cli('approvals')
  expect(stdout).toContain('→ deletes build/a (500 bytes)')
  expect(stdout).toContain('The first of its kind in this folder.')
  expect(stdout).toContain('rm build/a without a question; with --like also rm *')
  const { approvals } = await client.call('approvals', {})
  const approvalId = approvals.at(-1)?.approvalId ?? ''
  await instance.cli('approvals', 'answer', approvalId, 'allow', '--in', 'folder', '--like', '--for', '2h')
  for (const name of ['a', 'b', 'c']) await remove(name)
  expect(['a', 'b', 'c', 'd'].map((name) => existsSync(join(cwd, 'build', name)))).toEqual([false, false, false, true])
  await expect(client.call('send', { terminalId, text: 'rm ../x' })).rejects.toMatchObject({ code: 'needs_approval' })
  const { grants } = JSON.parse((await instance.cli('approvals', 'grants', '--json')).stdout)
  const { grantId } = grants.at(-1)
  expect((await instance.cli('approvals', 'grants')).stdout).toMatch(
    new RegExp(`${grantId} {2}rm \\*\\n.*in folder ${cwd}, for 2 h more, used 2 times`),
  )
  expect((await instance.cli('approvals', 'revoke', grantId)).stdout).toBe(`${grantId} revoked: rm *\n`)
  await expect(remove('d')).rejects.toMatchObject({ code: 'needs_approval' })
})

test('the requester and the approver are shown by names that a person knows, with the agents in between', async () => {
  const cwd = workspace()
  const stdio = await instance.mcp()
  const http = await instance.http()
  const { terminalId, pid } = await stdio.call('create', { cwd, command: ['bash', '--norc'] })
  const inside = await instance.rpcFrom(pid, { program: 'agentpty CLI (ada)' })
  const asking = [stdio, http, inside].map(async (caller, at) => {
    await expect(caller.call('run', { command: `rm precious${at}`, cwd })).rejects.toMatchObject({
      code: 'needs_approval',
    })
  })
  await Promise.all(asking)
  const { approvals } = JSON.parse((await instance.cli('approvals', '--json')).stdout)
  const asked = (command: string) => approvals.find((one: { resolved: string }) => one.resolved === command)
  expect(asked('rm precious0')).toMatchObject({ client: 'test 1 (MCP)', chain: [], through: [] })
  expect(asked('rm precious1')).toMatchObject({ client: 'test 1 (MCP over HTTP)' })
  expect(asked('rm precious2')).toMatchObject({ chain: [terminalId], through: [`bash in ${terminalId}`] })
  const { stdout } = await instance.cli('approvals')
  expect(stdout).toContain(`agentpty CLI (ada), through bash in ${terminalId}, wants to run this in`)
  await instance.cli('approvals', 'answer', asked('rm precious0').approvalId, 'allow', '--in', 'folder')
  expect((await instance.cli('approvals', 'grants')).stdout).toMatch(/granted by agentpty CLI \(\S+\)/)
  await stdio.call('run', { command: 'rm precious0', cwd })
  await until(async () => /test 1 \(MCP\) .*run/.test((await instance.cli('audit')).stdout))
  await instance.cli('approvals', 'answer', 'all', 'deny')
})

test('one answer counts for a list, and an earlier answer is reported', async () => {
  const cwd = workspace()
  const client = await instance.rpc()
  await instance.cli('approvals', 'answer', 'all', 'deny')
  const { terminalId } = await client.call('create', { cwd })
  for (const name of ['a', 'b', 'c'])
    await expect(client.call('send', { terminalId, text: `rm ${name}` })).rejects.toMatchObject({
      code: 'needs_approval',
    })
  const { approvals } = await client.call('approvals', {})
  const ids = approvals.map(({ approvalId }) => approvalId)
  expect((await instance.cli('approvals', 'answer', ids[0] ?? '', 'allow')).code).toBe(0)
  const rest = await instance.cli('approvals', 'answer', ...ids, 'deny', '--json')
  expect(JSON.parse(rest.stdout).approvals).toMatchObject([{ resolved: 'rm b' }, { resolved: 'rm c' }])
  expect(rest).toMatchObject({ code: 1, stderr: expect.stringContaining(`${ids[0]} is not open any more`) })
  expect((await instance.cli('approvals', 'answer', 'all', 'allow')).stdout).toBe('Nothing waits for you.\n')
})

test.each<[string, readonly string[], RegExp]>([
  ['an invalid scope', ['allow', '--in', 'planet'], /--in, --like and --for say where/],
  ['an invalid time', ['allow', '--in', 'folder', '--for', 'ever'], /--for ever: not a time/],
  ['a denial with a duration', ['deny', '--in', 'folder'], /--in, --like and --for say where/],
])('the command line refuses %s, and names the next step', async (_what, words, message) => {
  expect((await instance.cli('approvals', 'answer', 'ap-1', ...words)).stderr).toMatch(message)
})

test('open requests survive the daemon, even a killed one', async () => {
  const cwd = workspace()
  const before = await instance.rpc()
  const { terminalId } = await before.call('create', { cwd })
  await expect(before.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  const { daemon } = await instance.status()
  process.kill(daemon.pid, 'SIGKILL')
  const after = await instance.rpc()
  const { approvals } = await after.call('approvals', {})
  const open = approvals.find((one) => one.terminalId === terminalId)
  assert.ok(open)
  await after.call('decide', { approvalId: open.approvalId, answer: 'allow' })
  await after.call('send', { terminalId, text: 'rm precious' })
  expect(existsSync(join(cwd, 'precious'))).toBe(false)
})

test('a daemon starts when the terminal of an open request has ended without one, and withdraws the request', async () => {
  const before = await instance.rpc()
  const { terminalId, pid } = await before.call('create', { command: ['bash'], cwd: workspace() })
  await expect(before.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  const daemon = await instance.killDaemon()
  process.kill(pid, 'SIGKILL')
  await until(() => !instance.processes().some((one) => one === daemon || one === pid))
  const after = await instance.rpc()
  const { approvals } = await after.call('approvals', { all: true })
  expect(approvals.find((one) => one.terminalId === terminalId)).toMatchObject({ state: 'withdrawn' })
  await until(async () => (await instance.cli('audit')).stdout.includes('withdrawn'))
})

test('inside a terminal no program can answer, neither by the command line nor by pretending to be a person', async () => {
  const cwd = workspace()
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { cwd })
  await expect(client.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  const { approvals } = await client.call('approvals', {})
  const approvalId = approvals.at(-1)?.approvalId ?? ''
  const command = `${process.execPath} ${program} approvals answer ${approvalId} allow`
  await expect(client.call('send', { terminalId, text: command })).rejects.toMatchObject({ code: 'denied' })
  writeFileSync(join(cwd, 'sly.sh'), `${command}\n`)
  const { output } = await client.call('run', { terminalId, command: 'sh sly.sh' })
  expect(output).toContain('a program that asks must not answer itself')
  expect(existsSync(join(cwd, 'precious'))).toBe(true)
})

test('the deep terminal’s door refuses and asks in its documented words', async () => {
  const door = await instance.door('deep-terminal')
  const execute = async (command: string) => {
    const call = { name: 'deep_terminal', arguments: { action: 'execute', sessionId: 's', command } }
    return ((await door.callTool(call)) as CallToolResult).content
  }
  await door.callTool({ name: 'deep_terminal', arguments: { action: 'start', sessionId: 's' } })
  expect(await execute('rm -rf /')).toMatchObject([
    {
      text: expect.stringContaining('Error: Blocked dangerous command: "rm -rf /". This command matches a restricted'),
    },
  ])
  expect(await execute('rm x')).toMatchObject([
    { text: expect.stringContaining('Error: A person must allow this first') },
  ])
  const { approvals } = await (await instance.rpc()).call('approvals', {})
  await instance.cli('approvals', 'answer', approvals.at(-1)?.approvalId ?? '', 'deny')
  expect(await execute('rm x')).toMatchObject([{ text: 'Error: Command cancelled — user denied execution.' }])
})
