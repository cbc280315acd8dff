/** Approvals on the command line: a person at a terminal is asked there; other callers get the command to run again. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { type Engine, openEngine } from 'agentpty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { workspaceIn } from '../harness/workspace.ts'

let instance: Instance
/** The terminals that people use. */
let people: Engine
let folder: string
beforeEach(async () => {
  instance = scratchInstance()
  people = await openEngine({ approve: () => true })
  folder = workspaceIn(instance.user)
})
afterEach(async () => {
  await people.close()
})

const isThere = () => existsSync(join(folder, 'precious'))

/** Runs `agentpty ARGS` as a person at a terminal; returns the id of that terminal. */
async function person(...args: readonly string[]): Promise<string> {
  // A program that reports to run in a terminal of agentpty is not a person.
  const command = ['env', '-u', 'AGENTPTY_TERMINAL', process.execPath, program, ...args]
  const env = { ...instance.env }
  const { terminalId } = await people.client.call('create', { command, cwd: folder, env, waitFor: 'none' })
  return terminalId
}

const seen = async (terminalId: string) => (await people.client.call('read', { terminalId, since: 0 })).output

async function asked(terminalId: string): Promise<string> {
  await until(async () => /\[y\/N\]/.test(await seen(terminalId)))
  return seen(terminalId)
}

async function answers(terminalId: string, text: string) {
  await people.client.call('send', { terminalId, text, waitFor: 'none' })
  return people.client.call('read', { terminalId, since: 0, waitFor: 'exit' })
}

const states = async () => {
  const { approvals } = await (await instance.rpc()).call('approvals', { all: true })
  return approvals.map(({ state }) => state)
}

/** An open terminal in the folder, for `send`. */
const shell = async () => (await instance.cli('new', '--name', 'one', '--cwd', folder, '--wait', 'ready')).stdout.trim()

describe.each<[string, () => Promise<readonly string[]>]>([
  ['run', async () => ['run', '--', 'rm', '-r', 'precious']],
  ['run --in', async () => ['run', '--in', await shell(), 'rm -r precious']],
  ['send', async () => ['send', await shell(), 'rm -r precious']],
])('a person at a terminal who uses %s', (_command, args) => {
  test('is asked there, effects first, and consent runs it', async () => {
    const terminalId = await person(...(await args()))
    expect(await asked(terminalId)).toMatch(
      /This needs your approval\.\s+→ deletes precious.*\s+rm -r precious\s+deletion: It deletes files\.\s[\s\S]*Do it\? \[y\/N\]/,
    )
    expect(isThere()).toBe(true)
    await answers(terminalId, 'y')
    expect(isThere()).toBe(false)
    expect(await states()).toEqual(['allowed'])
  })

  test.each(['', 'n', 'yep'])('with the answer %j has nothing run', async (answer) => {
    const terminalId = await person(...(await args()))
    await asked(terminalId)
    const { exitCode, output } = await answers(terminalId, answer)
    expect(output).toContain('You have not allowed it')
    expect(exitCode).toBe(1)
    expect(isThere()).toBe(true)
    expect(await states()).toEqual(['denied'])
  })

  test('and presses ctrl+c has nothing run', async () => {
    const terminalId = await person(...(await args()))
    await asked(terminalId)
    await people.client.call('sendKeys', { terminalId, keys: ['ctrl+c'], waitFor: 'none' })
    const { output } = await people.client.call('read', { terminalId, since: 0, waitFor: 'exit' })
    expect(output).toContain('You have not allowed it')
    expect(isThere()).toBe(true)
    expect(await states()).toEqual(['denied'])
  })
})

test('a person whose question was answered elsewhere gets that answer', async () => {
  const terminalId = await person('run', '--', 'rm', '-r', 'precious')
  await asked(terminalId)
  const rpc = await instance.rpc()
  const { approvals } = await rpc.call('approvals', {})
  await rpc.call('decide', { approvalId: approvals[0]?.approvalId ?? '', answer: 'deny' })
  const { output } = await answers(terminalId, 'y')
  expect(output).toContain('A person has said no')
  expect(isThere()).toBe(true)
})

test('a person is asked immediately while others watch the list of approvals', async () => {
  const rpc = await instance.rpc()
  const watching = rpc.call('approvals', { waitTimeoutMs: 60_000 })
  const terminalId = await person('run', '--', 'rm', '-r', 'precious')
  await watching
  await asked(terminalId)
  await answers(terminalId, 'y')
  expect(isThere()).toBe(false)
})

describe('in a pipe', () => {
  test.each<[readonly string[], string]>([
    [['run', '--', 'rm', '-r', 'my file'], "run again: agentpty run -- rm -r 'my file'"],
    [['new', '--name', 'gone', 'rm -r x'], "run again: agentpty new --name gone 'rm -r x'"],
  ])('%j is refused with the same command to run again', async (args, again) => {
    const { code, stderr } = await instance.cli(...args)
    expect(code).toBe(1)
    expect(stderr).toContain('A person must allow this first (deletion)')
    expect(stderr).toContain('It deletes files; name only what you made yourself.')
    expect(stderr).toContain(again)
    expect(stderr).not.toContain('terminal_')
    expect(stderr).not.toContain('[y/N]')
  })

  test('send is refused with the same command to run again', async () => {
    const terminalId = await shell()
    const { stderr } = await instance.cli('send', terminalId, 'rm -r precious')
    expect(stderr).toContain(`run again: agentpty send ${terminalId} 'rm -r precious'`)
    expect(isThere()).toBe(true)
  })
})

describe('each tool names itself as the call to repeat', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['terminal', 'terminal_run', { command: 'rm -r x' }],
    ['terminal', 'terminal_create', { command: 'rm -r x' }],
    ['terminalcp', 'terminalcp', { args: { action: 'start', command: 'rm -r x' } }],
    ['tty-use', 'tty_use', { input: 'rm -r x' }],
    ['deep-terminal', 'deep_terminal', { action: 'execute', sessionId: 's', command: 'rm -r x' }],
    ['terminal-agent', 'terminal_send', { terminalId: 'term-1', text: 'rm -r x' }],
    ['agents', 'spawn_agent', { agent_type: 'rm -r x' }],
    ['termtile', 'spawn_agent', { agent_type: 'rm -r x' }],
  ])('%s: %s', async (toolset, name, input) => {
    const door = await instance.door(toolset)
    if (toolset === 'deep-terminal')
      await door.callTool({ name, arguments: { action: 'start', sessionId: 's', shell: '/bin/bash' } })
    if (toolset === 'terminal-agent') await door.callTool({ name: 'terminal_create', arguments: {} })
    // terminalcp refuses with an error of the protocol.
    const answer = door.callTool({ name, arguments: input }) as Promise<CallToolResult>
    const text = await answer.then(({ content }) => JSON.stringify(content), String)
    expect(text).toContain('A person must allow this first')
    expect(text).toContain(`call ${name} again with the same input`)
  })
})
