/** ptyhost survives invalid input and accepts only its owner. */

import { execFileSync } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { HostLink } from '@agentpty/engine/ptyhost'
import { requests } from '@agentpty/engine/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

/** The same seed gives the same bytes. */
function seededBytes(seed: number, length: number): Buffer {
  let state = seed
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

/** Sends bytes to the socket and resolves when the host has closed the connection. */
function say(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(host.socket)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
    socket.end(bytes)
  })
}

function frame(type: number, session: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(payload.length, 0)
  header.writeUInt32LE(session, 4)
  header.writeUInt8(type, 8)
  return Buffer.concat([header, payload])
}

test('garbage, truncated frames and vanishing clients do not disturb a running session', async () => {
  const { pty } = await open(host.link, ['cat'])
  const recorder = new Recorder(pty)
  for (let seed = 1; seed <= 200; seed++) await say(seededBytes(seed, 1 + (seed % 97)))
  await say(Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1, 0, 0, 0]))
  await pty.write(Buffer.from('alive\n'))
  await recorder.until(({ text }) => text.includes('alive\r\nalive'))
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('every truncation of every request is refused without harm', async () => {
  const owner = await openHost()
  owner.link.disconnect()
  const hello = frame(1, 0, Buffer.from([0x41, 0x50, 0x54, 0x59, 1, 0]))
  for (const { type } of Object.values(requests)) {
    if (type === requests.shutdown.type) continue // a shutdown is intended, complete or not
    for (let length = 0; length < 24; length++) {
      await new Promise<void>((resolve) => {
        const socket = connect(owner.socket)
        socket.on('error', () => undefined)
        socket.on('close', () => resolve())
        socket.resume()
        socket.end(Buffer.concat([hello, frame(type, 1, seededBytes(type * 100 + length, length))]))
      })
    }
  }
  const { link, hello: answer } = await HostLink.connect(owner.socket, () => undefined)
  expect(answer.granted).toBe(true)
  await link.shutdown()
})

test('a second owner is refused while the first one is connected', async () => {
  const { link, hello } = await HostLink.connect(host.socket, () => undefined)
  expect(hello.granted).toBe(false)
  link.disconnect()
})

test('the socket is for its user only, and other users are refused even when they reach it', async () => {
  expect(statSync(host.socket).mode & 0o777).toBe(0o600)
  if (process.getuid?.() !== 0) return
  const script = `use Socket; $SIG{PIPE} = 'IGNORE'; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or exit 3;
    syswrite($s, pack('VVCx3VS', 6, 0, 1, 0x59545041, 1)); exit(sysread($s, my $answer, 64) ? 1 : 0)`
  chmodSync(dirname(host.socket), 0o755)
  chmodSync(host.socket, 0o666)
  execFileSync('setpriv', ['--reuid=65534', '--clear-groups', 'perl', '-e', script, host.socket], { stdio: 'pipe' })
  chmodSync(host.socket, 0o600)
})

test('a program that cannot be started is a clear error', async () => {
  await expect(open(host.link, ['no-such-program-anywhere'])).rejects.toMatchObject({
    code: 'spawn_failed',
    message: 'No program "no-such-program-anywhere" in PATH.',
  })
  await expect(open(host.link, ['/etc/passwd'])).rejects.toMatchObject({
    code: 'spawn_failed',
    message: 'Cannot run "/etc/passwd": permission denied.',
  })
})

test('without descriptors a new session is refused clearly and the running ones continue', async () => {
  const poor = await openHost()
  const first = await open(poor.link, ['cat'])
  const recorder = new Recorder(first.pty)
  execFileSync('prlimit', ['--pid', String(poor.link.pid), '--nofile=24:24'])
  const refusals: unknown[] = []
  for (let i = 0; i < 12; i++) await open(poor.link, ['cat']).catch((error: unknown) => refusals.push(error))
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ code: 'spawn_failed', message: expect.stringContaining('EMFILE') })
  await first.pty.write(Buffer.from('alive\n'))
  await recorder.until(({ text }) => text.includes('alive\r\nalive'))
  await poor.stop()
})
