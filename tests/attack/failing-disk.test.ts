/**
 * The disk of the state folder fails while the daemon runs: full, broken, or read-only. The daemon and its terminals continue, every call
 * succeeds or is refused with a reason that names the file, and everything recovers with the disk.
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTermError, type TermError } from '@agentpty/protocol'
import type { DaemonStatus, WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const errors = { full: 28, broken: 5, 'read-only': 30 } as const
type Trouble = keyof typeof errors

const folder = scratchFolder()
const library = join(folder, 'failing-disk.so')
let instance: Instance
let rpc: WireClient
let before: DaemonStatus
let terminalId: string

beforeAll(() => {
  const source = join(import.meta.dirname, 'failing-disk.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, source, '-ldl'])
})

const errorFile = () => join(folder, 'error')
const trouble = (what: Trouble | null) => writeFileSync(errorFile(), what === null ? '' : String(errors[what]))

beforeEach(async () => {
  trouble(null)
  instance = scratchInstance((home) => ({
    AGENTPTY_TEST_DISK: home,
    AGENTPTY_TEST_DISK_ERROR: errorFile(),
    LD_PRELOAD: library,
  }))
  const agent = join(instance.user, 'tiny')
  writeFileSync(
    agent,
    '#!/bin/bash\nprintf \'agent> \'\nwhile read -r task; do echo "[termtile-response]"; echo done; echo "[/termtile-response]"; printf \'agent> \'; done\n',
  )
  chmodSync(agent, 0o755)
  writeFileSync(join(instance.home, 'config.yaml'), 'recording: on\n')
  rpc = await instance.rpc()
  before = await instance.status()
  terminalId = (await rpc.call('create', { command: ['cat'] })).terminalId
})
afterEach(async () => {
  trouble(null)
})

/** The reason of a refusal; null if the call succeeded. */
async function refusal(call: Promise<unknown>): Promise<TermError | null> {
  try {
    await call
    return null
  } catch (error) {
    if (!isTermError(error)) throw error
    return error
  }
}

const pipeline = () => `steps:\n  one: {agent: ${join(instance.user, 'tiny')}, task: do it}\n`

/** Every writer of the daemon, by a call that makes it write. */
const writers: readonly (readonly [name: string, write: () => Promise<unknown>])[] = [
  ['the journal', () => rpc.call('send', { terminalId, text: 'a line' })],
  ['the last number, and a recording', () => rpc.call('create', { command: ['cat'] })],
  ['approvals', () => rpc.call('run', { command: 'rm -rf ~/nothing-there' })],
  ['agents', () => rpc.call('instruct', { terminalId, text: 'do it' })],
  ['messages', () => rpc.call('sendMessage', { terminalId, text: 'a message' })],
  ['pipelines', () => rpc.call('runPipeline', { text: pipeline() })],
  ['scopes', async () => (await instance.cli('token', '--scope', `s${Date.now()}`)).code],
  ['the HTTP token', async () => (await instance.cli('token')).code],
  ['configuration', () => instance.cli('config')],
]

test.each(Object.keys(errors) as Trouble[])(
  'with a %s disk the daemon continues, and reports what it cannot write',
  async (what) => {
    trouble(what)
    for (let round = 0; round < 2; round++)
      for (const [name, write] of writers) {
        const error = await refusal(write())
        const reason = error === null ? 'done' : `${error.code}: ${error.message} ${error.hint}`
        expect([name, reason]).not.toEqual([name, expect.stringMatching(/^(internal|daemon_gone|host_gone)/)])
        if (error !== null && error.code !== 'needs_approval' && error.code !== 'denied')
          expect([name, reason]).toEqual([name, expect.stringMatching(/ENOSPC|EIO|EROFS|disk|agent/)])
      }
    // It writes only on an event.
    process.kill(before.daemon.pid, 'SIGWINCH')
    expect((await rpc.call('send', { terminalId, text: 'still here' })).output).toContain('still here')
    const during = await rpc.control.status()
    expect([during.daemon.pid, during.host.pid]).toEqual([before.daemon.pid, before.host.pid])
    expect(during.audit.problem).toMatch(/ENOSPC|EIO|EROFS/)
    trouble(null)
    await until(async () => (await rpc.control.status()).audit.problem === null)
    for (const [name, write] of writers) {
      const error = await refusal(write())
      expect([name, error?.code ?? 'done']).toEqual([
        name,
        expect.stringMatching(/^(done|needs_approval|invalid_input)$/),
      ])
    }
    const after = await instance.status()
    expect([after.daemon.pid, after.host.pid, after.log]).toEqual([before.daemon.pid, before.host.pid, null])
    const { stdout, code } = await instance.cli('audit', '--verify')
    expect([stdout, code]).toEqual([expect.stringContaining('records'), 0])
  },
  60_000,
)

test.each(Object.keys(errors) as Trouble[])(
  'log lines lost to a %s disk are reported by status and the doctor, and counted in the log afterwards',
  async (what) => {
    const socket = instance.paths.daemonSocket
    // A daemon whose socket is removed makes it again and logs that.
    const provoke = async () => {
      rmSync(socket)
      await until(async () => (await instance.cli('status', '--json')).code === 0)
    }
    trouble(what)
    await provoke()
    await until(async () => (await rpc.control.status()).log !== null)
    const { stdout } = await instance.cli('status')
    expect(stdout).toMatch(/^log +cannot be written; \d+ lines since .*(ENOSPC|EIO|EROFS)/m)
    expect((await instance.cli('doctor')).stdout).toMatch(/log +.*cannot be written/)
    trouble(null)
    await provoke()
    await until(async () => (await rpc.control.status()).log === null)
    expect(readFileSync(instance.paths.log, 'utf8')).toMatch(/\d+ lines since .* were not written: (ENOSPC|EIO|EROFS)/)
    expect((await instance.status()).daemon.pid).toBe(before.daemon.pid)
  },
  60_000,
)
