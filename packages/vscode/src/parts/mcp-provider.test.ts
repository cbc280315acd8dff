import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
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
  const client = new Observable<WireClient | null>(first)
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

test('reports a change if the daemon restarts at another address, not at the same one', async () => {
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

test('there is no server without HTTP or if tools are offered in another way', async () => {
  const { client, addresses } = provide(servedAt(1_000))
  client.set(servedAt(null))
  expect(await addresses()).toEqual([])
  client.set(servedAt(1_000))
  editor.settings.set('agentpty.agentTools', 'editor')
  expect(await addresses()).toEqual([])
})

test('no log contains the token, even if the file cannot be read', async () => {
  const { client, addresses, logged } = provide(servedAt(1_000))
  await addresses()
  rmSync(join(folder, 'token'))
  client.set(servedAt(3_000))
  await addresses()
  expect(logged.join('\n')).toContain('ENOENT')
  expect(logged.join('\n')).not.toContain(token)
})
