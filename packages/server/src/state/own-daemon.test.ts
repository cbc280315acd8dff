import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DaemonOwner, FakeClock } from '@agentpty/protocol/testing'
import type { DaemonHello } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isDaemonCommand, isOwnDaemon } from './own-daemon.ts'
import { thisProcess } from './this-machine.ts'

const userId = process.getuid?.() ?? 0
const here = thisProcess(new FakeClock())
let folder: string
let socket: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-own-')))
  socket = join(folder, 'daemon.sock')
  writeFileSync(socket, '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function helloOf(more: Partial<DaemonOwner> | null, pid = 1): DaemonHello {
  const owner = { process: { ...here, pid }, userId, stateFolder: folder, socket }
  return { version: '1', build: 'b', pid, owner: more === null ? null : { ...owner, ...more } }
}
const isOwn = (hello: DaemonHello, path = socket) => isOwnDaemon(hello, path, { here, userId })

test('a daemon of this user and boot at its own socket is ours, whatever leads to the socket', () => {
  expect(isOwn(helloOf({}))).toBe(true)
  symlinkSync(folder, join(folder, 'link'))
  expect(isOwn(helloOf({}), join(folder, 'link', 'daemon.sock'))).toBe(true)
})

test.each<[string, () => Partial<DaemonOwner>]>([
  ['another machine', () => ({ process: { ...here, boot: 'other', machine: { id: 'x', hostname: 'attic' } } })],
  ['another boot', () => ({ process: { ...here, boot: 'other' } })],
  ['another user', () => ({ userId: userId + 1 })],
  ['another socket, as behind a relay', () => ({ socket: join(folder, 'other.sock') })],
])('a daemon of %s is not', (_what, more) => expect(isOwn(helloOf(more()))).toBe(false))

test('a daemon of an older build is ours when its pid is that of a daemon of this user', () => {
  expect(isOwn(helloOf(null, process.pid))).toBe(false)
  expect(isDaemonCommand(['/usr/bin/node', '/x/bin/agentpty.js', 'daemon', ''])).toBe(true)
  expect(isDaemonCommand(['node', '--max-semi-space-size=4', '/usr/bin/agentpty', 'daemon'])).toBe(true)
  expect(isDaemonCommand(['node', '/x/bin/agentpty.js', 'mcp'])).toBe(false)
  expect(isDaemonCommand(['vim', 'daemon'])).toBe(false)
})
