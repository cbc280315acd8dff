/** A token of its own, through real clients: what it sees, what it does not, and when it ends. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ProtocolClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Instance, program, run } from './instance.ts'
import { McpCaller } from './mcp-caller.ts'

const instance = new Instance()
let foreign: string
beforeAll(async () => {
  foreign = (await (await instance.rpc()).call('create', { name: 'secret-build' })).terminalId
})
afterAll(async () => {
  assert.deepEqual(await instance.stop(), [])
})

const scope = async (name: string, ...more: string[]) => {
  const { code, stdout, stderr } = await instance.cli('token', '--scope', name, ...more)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.trim()
}

const cliAs = (token: string, ...args: readonly string[]) =>
  run(process.execPath, [program, ...args], { ...instance.env, AGENTPTY_TOKEN: token })

const clients: ProtocolClient[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

async function overHttp(token: string, era: 'old' | 'new' = 'new', query = ''): Promise<McpCaller> {
  const { http } = await instance.status()
  const versionNegotiation = era === 'old' ? { mode: 'legacy' as const } : { mode: { pin: '2026-07-28' } }
  const protocol = new ProtocolClient({ name: 'test', version: '1' }, { versionNegotiation })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await protocol.connect(new StreamableHTTPClientTransport(new URL(`${http?.url}/mcp${query}`), { requestInit }))
  clients.push(protocol)
  return new McpCaller(protocol)
}

describe.each(['old', 'new'] as const)('an agent over HTTP in the %s era', (era) => {
  test('sees and types into its own terminals, and no others are there', async () => {
    const agent = await overHttp(await scope(`http-${era}`), era)
    const { terminalId } = await agent.call('create', {})
    expect((await agent.call('send', { terminalId, text: 'echo own' })).output).toContain('own')
    expect((await agent.call('list', {})).terminals).toMatchObject([{ terminalId }])
    for (const name of [foreign, 'secret-build']) {
      await expect(agent.call('read', { terminalId: name })).rejects.toMatchObject({ code: 'session_not_found' })
      await expect(agent.call('send', { terminalId: name, text: 'x' })).rejects.toMatchObject({
        code: 'session_not_found',
      })
      const uri = `terminal://${name}/screen`
      await expect(agent.protocol.readResource({ uri })).rejects.toThrow()
    }
    const { resources } = await agent.protocol.listResources()
    expect(resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith(`terminal://${terminalId}/`))).toEqual([])
    // Its own terminal is there for the user.
    expect((await instance.cli('ls')).stdout).toContain(terminalId)
  })
})

test('agentpty mcp and the command line are bounded by the token in their environment', async () => {
  const token = await scope('stdio')
  const made = await cliAs(token, 'new')
  const own = made.stdout.trim()
  expect((await cliAs(token, 'ls')).stdout).not.toMatch(/secret-build/)
  expect((await cliAs(token, 'ls')).stdout).toContain(own)
  expect(await cliAs(token, 'read', foreign)).toMatchObject({ code: 1, stderr: expect.stringContaining('No terminal') })
  expect(await cliAs(token, 'stop', '--all')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('may not do this'),
  })
  expect(await cliAs(token, 'approvals', 'answer', 'ap-1', 'allow')).toMatchObject({ code: 1 })
  // No terminal is given the token, and what runs there is bounded all the same.
  const { stdout } = await cliAs(token, 'send', own, `env; ${process.execPath} ${program} ls`)
  expect(stdout).not.toMatch(/AGENTPTY_TOKEN|agentpty-scope-|secret-build/)
  expect(stdout).toContain(own)
})

test('a door shows its own as well', async () => {
  const agent = await overHttp(await scope('door'), 'old', '?toolset=terminalcp')
  const answer = await agent.protocol.callTool({ name: 'terminalcp', arguments: { args: { action: 'list' } } })
  expect(JSON.stringify(answer)).not.toMatch(/secret-build|term-1\b/)
})

test('a token is told once, kept as a hash, listed by its name, and counts no more once it is revoked', async () => {
  const token = await scope('short', '--expires', '8h')
  const agent = await overHttp(token)
  const { terminalId } = await agent.call('create', {})
  const folder = join(instance.home, 'scopes')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token)
  }
  expect((await instance.cli('token', '--list')).stdout).toMatch(/^short +made .* until /m)
  expect(await instance.cli('token', '--scope', 'short')).toMatchObject({ stderr: expect.stringContaining('already') })
  await instance.cli('token', '--revoke', 'short')
  await expect(agent.call('list', {})).rejects.toThrow()
  expect(await cliAs(token, 'ls')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was revoked or has expired'),
  })
  expect((await instance.cli('ls')).stdout).toContain(terminalId)
})

test('inside a terminal no token is made', async () => {
  const agent = await overHttp(await scope('maker'))
  const { terminalId } = await agent.call('create', {})
  await expect(
    agent.call('send', { terminalId, text: `${process.execPath} ${program} token --scope mine` }),
  ).rejects.toMatchObject({ code: /denied|needs_approval/ })
  const inside = await run(process.execPath, [program, 'token', '--scope', 'mine'], {
    ...instance.env,
    AGENTPTY_TERMINAL: terminalId,
  })
  expect(inside).toMatchObject({ code: 1, stderr: expect.stringContaining('whoever is bounded') })
})

test('its terminals are its own in the next daemon as well, and the journal names it', async () => {
  const token = await scope('lasting')
  const own = (await cliAs(token, 'new')).stdout.trim()
  process.kill((await instance.status()).daemon.pid, 'SIGKILL')
  expect((await cliAs(token, 'ls')).stdout).toContain(own)
  expect((await cliAs(token, 'ls')).stdout).not.toContain('secret-build')
  await cliAs(token, 'send', own, 'echo named')
  await instance.cli('stop')
  const { records } = JSON.parse((await instance.cli('audit', '--json', '--session', own)).stdout)
  expect(records).toContainEqual(
    expect.objectContaining({ text: 'echo named', who: expect.objectContaining({ scope: 'lasting' }) }),
  )
})
