/**
 * Programs that change what a path means while the gate looks at it. No protected file is lost. AGENTPTY_GATE_RACES: how many tries of each; the
 * command `npm run test:races` makes a hundred thousand.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'

const tries = Number(process.env['AGENTPTY_GATE_RACES'] ?? 300)
const kinds = ['path', 'path-open', 'symlink', 'symlink-open', 'parent', 'descriptor', 'hard-link', 'folder']

const folder = scratchFolder()
const program = join(folder, 'races')

let host: TestHost
beforeAll(async () => {
  execFileSync('cc', ['-O2', '-pthread', '-w', '-o', program, new URL('races.c', import.meta.url).pathname])
  host = await openHost()
})
afterAll(() => host.stop())

async function race(kind: string, gate: (home: string) => string): Promise<string> {
  const home = scratchFolder()
  const [kept, workspace] = [join(home, 'keep'), join(home, 'proj')]
  for (const one of [kept, workspace]) mkdirSync(one)
  writeFileSync(join(kept, 't'), 'kept')
  const { pty } = await open(host.link, [program, kind, kept, workspace, `${tries}`], {
    env: { HOME: home },
    cwd: workspace,
    gate: gate(home),
  })
  const recorder = new Recorder(pty)
  await recorder.exit
  await pty.close({ graceMs: 100, leaveDaemons: false })
  if (recorder.text.includes(' lost 0')) expect(readFileSync(join(kept, 't'), 'utf8')).toBe('kept')
  return recorder.text.trim()
}

// A question that no person answers is denied after a millisecond.
const asks = (home: string) => `asks 1\nfree ${tmpdir()}\nfree ${home}/proj\nelsewhere ${home}\n`

test.each(kinds)('no protected file is lost in the race of %s', { timeout: 3_600_000 }, async (kind) => {
  expect(await race(kind, asks)).toBe(`tries ${tries} lost 0`)
})

test('without a gate the same programs lose it', async () => {
  expect(await race('hard-link', () => '')).toMatch(/lost 1$/)
})
