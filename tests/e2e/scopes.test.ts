/** Scoped tokens through real clients: what is visible, what is not, and when they end. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Client as ProtocolClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { program, run, until } from '../harness/instance.ts'
import { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let foreign: string
beforeAll(async () => {
  foreign = (await (await instance.rpc()).call('create', { name: 'secret-build' })).terminalId
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
  test('sees and types into its own terminals, and has no others', async () => {
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
    // The user sees its terminal.
    expect((await instance.cli('ls')).stdout).toContain(terminalId)
  })
})

test.each([
  ['token'],
  ['token', '--list'],
  ['token', '--scope', 'another'],
  ['token', '--revoke', 'files'],
  ['audit'],
  ['audit', '--verify'],
  ['audit', '--approvals'],
  ['recordings'],
  ['export', 'term-1', '--to', 'out.html'],
  ['replay', 'term-1'],
  ['gym', 'run', 'tty-30', '--agent', 'nop'],
  ['init', '--client', 'codex', '--http', '--yes'],
])('with the token of a scope agentpty %s %s reads and writes none of the instance’s files', async (...words) => {
  const token = await scope(`files-${words.join('-').replaceAll(/[^a-z\d-]/g, '')}`)
  const { code, stdout, stderr } = await cliAs(token, ...words)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('bounds this caller')
})

test('the user’s own token in the environment is no restriction', async () => {
  expect(await cliAs(await instance.token(), 'token', '--list')).toMatchObject({ code: 0 })
})

test.each([null, 7, ['a'], { a: 1 }, true])(
  'a hello with the token %j is refused, and does not get the owner’s rights',
  async (token) => {
    const socket = connect(instance.paths.daemonSocket)
    const hello = { agentpty: 1, face: 'rpc', client: 'x', cwd: '/', env: {}, token }
    socket.write(`${JSON.stringify(hello)}\n{"id":1,"verb":"list","input":{}}\n`)
    let answer = ''
    for await (const bytes of socket) answer += bytes
    expect(answer).toContain('"invalid_input"')
    expect(answer).not.toContain('secret-build')
  },
)

test('agentpty mcp and the command line are restricted by the token in their environment', async () => {
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
  // No terminal receives the token, and programs there are restricted all the same.
  const { stdout } = await cliAs(token, 'send', own, `env; ${process.execPath} ${program} ls`)
  expect(stdout).not.toMatch(/AGENTPTY_TOKEN|agentpty-scope-|secret-build/)
  expect(stdout).toContain(own)
})

describe.each(['old', 'new'] as const)('two agents over stdio, each with a token of its own, in the %s era', (era) => {
  test('see and type into their own terminals, and not into those of each other or of the user', async () => {
    const agents = [
      await instance.scopedMcp(await scope(`one-${era}`), era),
      await instance.scopedMcp(await scope(`two-${era}`), era),
    ]
    const opened = await Promise.all(agents.map((agent, at) => agent.call('create', { name: `own-${era}-${at}` })))
    for (const [at, agent] of agents.entries()) {
      const own = opened[at]?.terminalId ?? ''
      const other = opened[1 - at]?.terminalId ?? ''
      expect((await agent.call('send', { terminalId: own, text: `echo is$((${at}+40))` })).output).toContain(
        `is${at + 40}`,
      )
      expect((await agent.call('list', {})).terminals).toMatchObject([{ terminalId: own }])
      for (const terminalId of [other, `own-${era}-${1 - at}`, foreign, 'secret-build']) {
        const nothing = { code: 'session_not_found' }
        await expect(agent.call('read', { terminalId })).rejects.toMatchObject(nothing)
        await expect(agent.call('send', { terminalId, text: 'x' })).rejects.toMatchObject(nothing)
        await expect(agent.call('close', { terminalId })).rejects.toMatchObject(nothing)
        await expect(agent.protocol.readResource({ uri: `terminal://${terminalId}/log` })).rejects.toThrow()
      }
      const { resources } = await agent.protocol.listResources()
      expect(resources.every(({ uri }) => uri.startsWith(`terminal://${own}/`))).toBe(true)
    }
    expect((await instance.cli('read', opened[0]?.terminalId ?? '')).stdout).not.toContain('is41')
  })
})

test('an approval for a new terminal is in its own list, and in no other scope’s', async () => {
  const one = await scope('asks')
  const two = await scope('asks-too')
  const ask = (token: string) => cliAs(token, 'run', 'rm asked-for')
  const openOf = async (token: string) => JSON.parse((await cliAs(token, 'approvals', '--json')).stdout).approvals
  expect((await ask(one)).stderr).toContain('A person must allow this first')
  expect(await openOf(one)).toMatchObject([{ resolved: 'rm asked-for', terminalId: null }])
  expect(await openOf(two)).toEqual([])
  expect((await ask(two)).stderr).toContain('A person must allow this first')
  const { approvalId } = (await openOf(one))[0]
  expect((await openOf(two))[0].approvalId).not.toBe(approvalId)
  expect((await cliAs(one, 'approvals', 'answer', approvalId, 'allow')).stderr).toContain('may not do this')
  await instance.cli('approvals', 'answer', approvalId, 'allow')
  // The answer is for the requester.
  expect((await ask(two)).stderr).toContain('A person must allow this first')
  expect((await ask(one)).stderr).not.toContain('A person must allow this first')
})

test('the creation and revocation of tokens is in the journal, even without a daemon', async () => {
  const scopeRecords = async () =>
    JSON.parse((await instance.cli('audit', '--json', '--limit', '1000')).stdout).records.filter(
      (record: { kind: string; scope: string }) => record.kind === 'scope' && record.scope.startsWith('named-'),
    )
  await scope('named-1', '--expires', '8h')
  const by = expect.stringMatching(/^agentpty CLI \(\S+\)$/)
  const made = { event: 'made', scope: 'named-1', by, happenedAt: expect.any(Number), expiresAt: expect.any(Number) }
  // The next caller makes a daemon read it.
  const keptAfterCall = async () => {
    await instance.cli('ls')
    return (await scopeRecords()).length
  }
  await until(async () => (await keptAfterCall()) === 1)
  expect(await scopeRecords()).toMatchObject([made])
  await instance.cli('stop')
  await scope('named-2')
  await instance.cli('token', '--revoke', 'named-1')
  expect(await scopeRecords()).toHaveLength(1)
  await instance.status()
  await until(async () => (await keptAfterCall()) === 3)
  expect(await scopeRecords()).toMatchObject([
    made,
    { event: 'made', scope: 'named-2', by },
    { event: 'revoked', scope: 'named-1', by },
  ])
  const [line] = (await instance.cli('audit', '--limit', '1000')).stdout
    .split('\n')
    .filter((one) => /named-1/.test(one))
  expect(line).toMatch(/agentpty CLI \(\S+\) {2}token of scope named-1 made, for a time$/)
  expect((await instance.cli('audit', '--verify')).code).toBe(0)
})

test('a door lists only its own as well', async () => {
  const agent = await overHttp(await scope('door'), 'old', '?toolset=terminalcp')
  const answer = await agent.protocol.callTool({ name: 'terminalcp', arguments: { args: { action: 'list' } } })
  expect(JSON.stringify(answer)).not.toMatch(/secret-build|term-1\b/)
})

test('a token is shown once, stored as a hash, listed by its name, and invalid after its revocation', async () => {
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

test('inside a terminal no token can be created', async () => {
  const agent = await overHttp(await scope('maker'))
  const { terminalId, pid } = await agent.call('create', {})
  await expect(
    agent.call('send', { terminalId, text: `${process.execPath} ${program} token --scope mine` }),
  ).rejects.toMatchObject({ code: /denied|needs_approval/ })
  const inside = await run(process.execPath, [program, 'token', '--scope', 'mine'], {
    ...instance.env,
    ...instance.environmentIn(pid),
  })
  expect(inside).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a limited caller must not change its limits'),
  })
})

test('its terminals belong to it in the next daemon as well, and the journal names it', async () => {
  const token = await scope('lasting')
  const own = (await cliAs(token, 'new')).stdout.trim()
  await instance.killDaemon()
  expect((await cliAs(token, 'ls')).stdout).toContain(own)
  expect((await cliAs(token, 'ls')).stdout).not.toContain('secret-build')
  await cliAs(token, 'send', own, 'echo named')
  await instance.cli('stop')
  const { records } = JSON.parse((await instance.cli('audit', '--json', '--session', own)).stdout)
  expect(records).toContainEqual(
    expect.objectContaining({ text: 'echo named', who: expect.objectContaining({ scope: 'lasting' }) }),
  )
})
