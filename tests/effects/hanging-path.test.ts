/** A path below a file system that does not answer. Mounting one needs root. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostProgram, open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

const canMount = process.getuid?.() === 0 && existsSync('/dev/fuse')
const folder = scratchFolder()
const lost = join(folder, 'lost')

let host: TestHost
let mount: ChildProcess

beforeAll(async () => {
  if (!canMount) {
    host = await openHost()
    return
  }
  // In mounts of its own: bubblewrap, in the tests beside this one, fails where a mount of the machine does not answer.
  const hostInOwnMounts = join(folder, 'host')
  writeFileSync(hostInOwnMounts, `#!/bin/sh\nexec unshare --mount --propagation private "${hostProgram}" "$@"\n`)
  chmodSync(hostInOwnMounts, 0o755)
  host = await openHost(hostInOwnMounts)
  const program = join(folder, 'silent-mount')
  execFileSync('cc', ['-O1', '-w', '-o', program, new URL('silent-mount.c', import.meta.url).pathname])
  mkdirSync(lost)
  mount = spawn('nsenter', ['--mount', '--target', `${host.link.pid}`, program, lost], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(mount.stdout as NodeJS.ReadableStream, 'data')
})

afterAll(async () => {
  if (canMount) {
    mount.stdin?.end()
    await once(mount, 'exit')
  }
  await host.stop()
})

test.runIf(canMount)('a call about a path that hangs fails, and other programs of the terminal go on', async () => {
  const home = scratchFolder()
  const workspace = join(home, 'proj')
  mkdirSync(workspace)
  writeFileSync(join(home, 'kept'), 'kept\n')
  const script = `
    (: > ${lost}/a) 2>&1 &
    (: > ${lost}/b) 2>&1 &
    touch made && rm made && echo worked
    wait
    rm ~/kept; echo "code $?"`
  const { pty } = await open(host.link, ['/bin/bash', '-c', script], {
    env: { HOME: home },
    cwd: workspace,
    gate: `asks 600000\nfree ${workspace}\nelsewhere ${home}\nelsewhere ${tmpdir()}\n`,
  })
  const terminal = new GatedTerminal(pty)
  await terminal.answer('allow')
  await terminal.recorder.exit
  await pty.close({ graceMs: 100, leaveDaemons: false })
  const lines = terminal.text.split('\r\n')
  expect(lines.filter((line) => line.includes('Permission denied'))).toHaveLength(2)
  expect(lines).toEqual(expect.arrayContaining(['worked', 'code 0']))
  expect(existsSync(join(home, 'kept'))).toBe(false)
  expect(terminal.messages).toContainEqual({ kind: 'blind', count: 2, reason: 'unresolved' })
})
