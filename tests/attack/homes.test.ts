/** Emptied, removed or corrupted files of an instance are repaired, and only its own server receives the token. */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Finding } from '@agentpty/protocol/setup'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
})

async function findings(name: string): Promise<readonly Finding[]> {
  const { stdout } = await instance.cli('doctor', '--json')
  return JSON.parse(stdout).findings.filter((finding: Finding) => finding.name === name)
}

async function killDaemon(): Promise<void> {
  const pid = await instance.killDaemon()
  await until(() => !isAlive(pid))
}

describe('the last id', () => {
  const create = async () => (await (await instance.rpc()).call('create', { command: ['cat'] })).terminalId

  test.each<[string, (path: string) => void]>([
    ['removed', (path) => rmSync(path)],
    ['emptied', (path) => writeFileSync(path, '')],
    ['set to the largest number', (path) => writeFileSync(path, '9007199254740991\n')],
    ['set to one that is in use', (path) => writeFileSync(path, '0000000000000001\n')],
  ])(
    'that is %s while terminals are open leads to no duplicate id, in this daemon and the next',
    async (_how, spoil) => {
      expect([await create(), await create(), await create()]).toEqual(['term-1', 'term-2', 'term-3'])
      spoil(instance.paths.lastId)
      expect(await create()).toBe('term-4')
      spoil(instance.paths.lastId)
      await killDaemon()
      expect(await create()).toBe('term-5')
      expect((await (await instance.rpc()).call('list', {})).terminals).toHaveLength(5)
    },
  )
})

test.each(['term-1', 'term-77', 'TERM-2'])(
  'a terminal cannot be named %s, which may be another one’s id',
  async (name) => {
    const client = await instance.rpc()
    const { terminalId } = await client.call('create', { command: ['cat'] })
    const refused = { code: 'invalid_input', message: expect.stringContaining(name) }
    await expect(client.call('create', { command: ['cat'], name })).rejects.toMatchObject(refused)
    await expect(client.call('rename', { terminalId, name })).rejects.toMatchObject(refused)
    expect((await client.call('list', {})).terminals).toHaveLength(1)
  },
)

test('a socket folder that is a link is refused with the reason, by the doctor too', async () => {
  mkdirSync(join(instance.user, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(instance.user, 'elsewhere'), instance.paths.runFolder)
  const { code, stderr } = await instance.cli('ls')
  assert.notEqual(code, 0)
  expect(stderr).toContain(`${instance.paths.runFolder} is a link`)
  expect(await findings('socket folder')).toMatchObject([
    { mark: 'wrong', found: expect.stringContaining('is a link') },
  ])
})

describe('the token', () => {
  test('of an emptied file is reported by the doctor, created again, and accepted by the running daemon', async () => {
    await instance.status()
    writeFileSync(instance.paths.token, '')
    expect(await findings('token')).toMatchObject([{ mark: 'wrong', found: expect.stringContaining('holds no token') }])
    const caller = await instance.http()
    expect(await caller.call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
    assert.equal(readFileSync(instance.paths.token, 'utf8').trim(), await instance.token())
    expect(await findings('token')).toMatchObject([{ mark: 'ok' }])
  })

  type Serve = (request: IncomingMessage, response: ServerResponse) => void

  /** The requests received by another program's server, to which a client's file leads. */
  async function askedOf(serve: Serve): Promise<{ readonly asked: string; readonly found: readonly Finding[] }> {
    let asked = ''
    const server: Server = createServer((request, response) => {
      asked += `${request.url} ${JSON.stringify(request.headers)}\n`
      serve(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const headers = { Authorization: `Bearer ${await instance.token()}` }
    mkdirSync(join(instance.user, '.cursor'))
    writeFileSync(
      join(instance.user, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: { agentpty: { url, headers } } }),
    )
    const found = await findings('Cursor')
    server.closeAllConnections()
    server.close()
    return { asked, found }
  }

  const unproven = [{ mark: 'wrong', found: expect.stringContaining('has not proven to be your agentpty') }]

  test.each<[string, object]>([
    ['reports good health', { status: 'ok', version: '1' }],
    ['sends its own proof', { status: 'ok', proof: 'x'.repeat(43) }],
  ])('is not sent to a server that %s', async (_what, health) => {
    const { asked, found } = await askedOf((_request, response) => void response.end(JSON.stringify(health)))
    expect(asked).toMatch(/^\/health\?challenge=/)
    expect(asked).not.toContain(await instance.token())
    expect(found).toMatchObject(unproven)
  })

  test('is not sent to a server that relays the challenge to ours', async () => {
    const base = (await instance.status()).http?.url
    const { asked, found } = await askedOf((request, response) => {
      get(`${base}${request.url}`, (answer) => answer.pipe(response))
    })
    expect(asked).not.toContain(await instance.token())
    expect(found).toMatchObject(unproven)
  })
})
