/** A call that a signal takes away from the gate while it is performed, and that its thread makes again. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostProgram, open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'

const tries = 2000
/** Where a descriptor is handed over in two steps, the kernel can lose the second one. */
const isOldKernel = hostProgram.includes('old-kernel')

const program = join(scratchFolder(), 'signals')

let host: TestHost
beforeAll(async () => {
  execFileSync('cc', ['-O2', '-w', '-o', program, new URL('signals.c', import.meta.url).pathname])
  host = await openHost()
})
afterAll(() => host.stop())

test.runIf(!isOldKernel)('a file that an interrupted call makes is made once (from Linux 5.14 on)', async () => {
  const folder = scratchFolder()
  const gate = `asks 600000\nelsewhere ${folder}\nfree /dev\n`
  const { pty } = await open(host.link, [program, folder, `${tries}`], { cwd: folder, gate })
  const recorder = new Recorder(pty)
  await recorder.exit
  await pty.close({ graceMs: 100, leaveDaemons: false })
  expect(recorder.text).toBe('failed 0, left open 0\r\n')
})
