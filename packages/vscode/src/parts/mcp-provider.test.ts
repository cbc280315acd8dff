import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Held } from '../link/held.ts'
import { settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { provideMcpServer } from './mcp-provider.ts'

const token = 'a-token-of-the-test'
let folder: string

beforeEach(() => {
  forgetAll()
  editor.settings.set('agentpty.agentTools', 'mcp')
  folder = mkdtempSync(join(tmpdir(), 'agentpty-provider-'))
  writeFileSync(join(folder, 'token'), `${token}\n`)
})
afterEach(() => rmSync(folder, { recursive: true }))

const servedAt = (port: number | null) =>
  ({
    control: {
      status: async () => ({ daemon: { version: '1' }, http: port && { url: `http://127.0.0.1:${port}` } }),
    },
  }) as unknown as WireClient

function provide(first: WireClient | null) {
  const client = new Held<WireClient | null>(first)
  const logged: string[] = []
  provideMcpServer({ client, tokenFile: join(folder, 'token'), log: (line) => logged.push(line) })
  const [provider] = editor.mcp
  if (provider === undefined) throw new Error('no provider')
  const changes = { count: 0 }
  provider.onDidChangeMcpServerDefinitions(() => changes.count++)
  const addresses = async () => (await provider.provideMcpServerDefinitions()).map(({ uri }) => uri.text)
  return { client, provider, changes, addresses, logged }
}

test('the server is named with its address and its token', async () => {
  const { provider } = provide(servedAt(17_580))
  const [definition] = await provider.provideMcpServerDefinitions()
  expect(definition?.uri).toEqual({ text: 'http://127.0.0.1:17580/mcp' })
  expect(definition?.headers).toEqual({ Authorization: `Bearer ${token}` })
})

test('a daemon that comes back elsewhere is told as a change, one at the same place is not', async () => {
  const { client, changes, addresses } = provide(servedAt(1_000))
  expect(await addresses()).toEqual(['http://127.0.0.1:1000/mcp'])
  await settled()
  const before = changes.count
  client.set(null)
  client.set(servedAt(1_000))
  await settled()
  expect(changes.count).toBe(before)
  client.set(null)
  client.set(servedAt(2_000))
  await settled()
  expect(changes.count).toBe(before + 1)
  expect(await addresses()).toEqual(['http://127.0.0.1:2000/mcp'])
})

test('while the daemon is being replaced the server stays in the list', async () => {
  const { client, addresses } = provide(servedAt(1_000))
  await addresses()
  client.set(null)
  expect(await addresses()).toEqual(['http://127.0.0.1:1000/mcp'])
})

test('without HTTP, and where tools are given in another way, there is none', async () => {
  const { client, addresses } = provide(servedAt(1_000))
  client.set(servedAt(null))
  expect(await addresses()).toEqual([])
  client.set(servedAt(1_000))
  editor.settings.set('agentpty.agentTools', 'editor')
  expect(await addresses()).toEqual([])
})

test('no log has the token, also when the file cannot be read', async () => {
  const { client, addresses, logged } = provide(servedAt(1_000))
  await addresses()
  rmSync(join(folder, 'token'))
  client.set(servedAt(3_000))
  await addresses()
  expect(logged.join('\n')).toContain('ENOENT')
  expect(logged.join('\n')).not.toContain(token)
})
