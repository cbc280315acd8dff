/** Terminals whose MCP client has ended: their listing, their names and approvals, and when they are closed. */

import { describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

const ways: readonly (readonly [string, () => Promise<McpCaller>])[] = [
  ['stdio', () => instance.mcp()],
  ['HTTP', () => instance.http('old')],
]

async function list() {
  const listed = JSON.parse((await instance.cli('ls', '--json')).stdout) as {
    terminals: { terminalId: string; name?: string; clientEnded?: string; clientEndedAt?: number }[]
  }
  return listed.terminals
}

const listed = async (terminalId: string) => (await list()).find((one) => one.terminalId === terminalId)

/** Ends the client in its program's usual way. */
async function end(caller: McpCaller): Promise<void> {
  const { transport } = caller.protocol
  if (transport !== undefined && 'terminateSession' in transport) await (transport as Terminated).terminateSession()
  await caller.close()
}

interface Terminated {
  terminateSession(): Promise<void>
}

describe.each(ways)('over %s', (way, connect) => {
  test('a name of another client gets a number, and the note names the other terminal by id', async () => {
    const name = `server-${way}`
    const one = await connect()
    const other = await connect()
    const first = await one.call('create', { name })
    const second = await other.call('create', { name })
    expect(second.name).toBe(`${name}-2`)
    expect(second.note).toContain(`${first.terminalId} of another client is named "${name}"`)
    expect(second.note).toContain(`pass its id ${first.terminalId}`)
    expect(second.terminalId).not.toBe(first.terminalId)
    // The name still belongs to the terminal that had it first.
    await one.call('send', { terminalId: name, text: 'echo first' })
    expect((await other.call('read', { terminalId: first.terminalId })).output).toContain('first')
  })

  test('a second terminal of the same client under one name is refused with the id', async () => {
    const name = `own-${way}`
    const caller = await connect()
    const { terminalId } = await caller.call('create', { name })
    await expect(caller.call('create', { name })).rejects.toMatchObject({
      code: 'name_taken',
      message: `${terminalId} is named "${name}".`,
      hint: expect.stringContaining(terminalId),
    })
  })

  test('a terminal of an ended client is marked in all lists, until another client types into it', async () => {
    const caller = await connect()
    const { terminalId } = await caller.call('create', {})
    expect(await listed(terminalId)).not.toHaveProperty('clientEndedAt')
    await end(caller)
    await until(async () => (await listed(terminalId))?.clientEndedAt !== undefined)
    expect((await listed(terminalId))?.clientEnded).toBe('client ended less than 1 min ago')
    expect((await instance.cli('ls')).stdout).toMatch(
      new RegExp(`${terminalId} .*at its prompt, client ended less than 1 min ago`),
    )
    const next = await instance.mcp()
    const { terminals } = await next.call('list', {})
    expect(terminals.find((one) => one.terminalId === terminalId)).toHaveProperty('clientEnded')
    await next.call('send', { terminalId, text: 'echo again' })
    expect(await listed(terminalId)).not.toHaveProperty('clientEndedAt')
  })

  test('an open approval of a client that ends is withdrawn', async () => {
    const caller = await connect()
    const { terminalId } = await caller.call('create', {})
    await expect(caller.call('send', { terminalId, text: 'rm -r gone' })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    expect(await openApprovals()).toContain(terminalId)
    await end(caller)
    await until(async () => !(await openApprovals()).includes(terminalId))
    expect((await instance.cli('approvals', '--all')).stdout).toContain('withdrawn')
    expect((await instance.cli('needs', '--json')).stdout).not.toContain('rm -r gone')
  })
})

test('the command line refuses a taken name, with the id of its terminal', async () => {
  const { stdout } = await instance.cli('new', '--name', 'by-hand')
  const { code, stderr } = await instance.cli('new', '--name', 'by-hand')
  expect(code).not.toBe(0)
  expect(stderr).toContain(`${stdout.trim()} is named "by-hand"`)
  expect(await listed(stdout.trim())).not.toHaveProperty('clientEndedAt')
})

test.each([
  ['is closed', (terminalId: string) => instance.cli('close', terminalId)],
  ['has ended', async (terminalId: string) => (await instance.rpc()).call('signal', { terminalId, signal: 'SIGKILL' })],
])('an approval to type into a terminal is withdrawn when that %s', async (_how, endIt) => {
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', { command: ['bash', '--norc'] })
  await expect(caller.call('send', { terminalId, text: 'rm -r there' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  expect(await openApprovals()).toContain(terminalId)
  await endIt(terminalId)
  await until(async () => !(await openApprovals()).includes(terminalId))
  const { approvals } = JSON.parse((await instance.cli('approvals', '--all', '--json')).stdout)
  const { approvalId } = approvals.find((one: { terminalId: string }) => one.terminalId === terminalId)
  const { stderr } = await instance.cli('approvals', 'answer', approvalId, 'allow')
  expect(stderr).toContain('the client, the terminal or the program that asked has ended')
})

test('no person is asked about input to an ended terminal', async () => {
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', { command: ['true'], waitFor: 'exit' })
  await expect(caller.call('send', { terminalId, text: 'rm -r nothing' })).rejects.toMatchObject({
    code: 'session_exited',
  })
  expect(await openApprovals()).not.toContain(terminalId)
})

test('an open approval of a connected client survives the daemon', async () => {
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', {})
  await expect(caller.call('send', { terminalId, text: 'rm -r later' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  await instance.cli('stop')
  // The caller may see the end of its connection only during the call.
  await until(() =>
    caller.call('list', {}).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'daemon_gone' })
        return false
      },
    ),
  )
  expect(await openApprovals()).toContain(terminalId)
  expect(await listed(terminalId)).not.toHaveProperty('clientEndedAt')
})

async function openApprovals(): Promise<string> {
  return (await instance.cli('approvals', '--json')).stdout
}
