/** Calls on everything that can be at the end of a path, and with arguments that the kernel refuses: where all is free they end as without a gate. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

/**
 * The kernel and the gate both refuse these, with another errno where more than one thing is wrong: the gate resolves the path before it reads the
 * other arguments.
 */
const refusedByBoth = /^(setxattr |symlink to nothing|open make folder|open.* \[to-file-slash\])/

const program = join(scratchFolder(), 'ends')

let host: TestHost
beforeAll(async () => {
  execFileSync('cc', ['-O2', '-w', '-o', program, new URL('ends.c', import.meta.url).pathname])
  host = await openHost()
})
afterAll(() => host.stop())

async function linesOf(gate: (folder: string) => string): Promise<readonly string[]> {
  const folder = scratchFolder()
  const { pty } = await open(host.link, [program, folder], { cwd: folder, gate: gate(folder) })
  const terminal = new GatedTerminal(pty)
  expect(await terminal.recorder.exit).toMatchObject({ code: 0 })
  await pty.close({ graceMs: 100, leaveDaemons: false })
  expect(terminal.questions).toEqual([])
  return terminal.text.split('\r\n').map(withoutErrno)
}

/** A refused call has an errno, and has changed nothing. */
function withoutErrno(line: string): string {
  const isRefused = !/\]: (done|descriptor)/.test(line) && !line.includes('|')
  return isRefused && refusedByBoth.test(line) ? line.replace(/\]: .*/, ']: refused') : line
}

test('where all is free every call ends as without a gate', async () => {
  const [without, gated] = [
    await linesOf(() => ''),
    await linesOf((folder) => `asks 600000\nfree ${folder}\nfree /dev\n`),
  ]
  expect(without.length).toBeGreaterThan(4000)
  expect(gated).toEqual(without)
})
