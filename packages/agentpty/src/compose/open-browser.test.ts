import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeClock } from '@agentpty/protocol/testing'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openBrowser } from './open-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentpty-open-'))
afterEach(() => rmSync(join(folder, 'xdg-open'), { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

/** An xdg-open of this script, on a machine with a screen. */
function machineWith(script: string) {
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':7' }
}

const opened = (env: Readonly<Record<string, string>>) => openBrowser('/tmp/page.html', env, new FakeClock())

test('nothing is opened without a screen, without an opener, and where the opener finds no browser', async () => {
  expect(await opened({ PATH: machineWith('exit 0').PATH })).toBe(false)
  expect(await opened({ PATH: `${folder}/none`, DISPLAY: ':7' })).toBe(false)
  expect(await opened(machineWith('exit 3'))).toBe(false)
})

test('an opener that ends with 0, or still runs after three seconds, has opened the page', async () => {
  expect(await opened(machineWith('exit 0'))).toBe(true)
  const gate = join(folder, 'gate')
  execFileSync('mkfifo', [gate])
  const clock = new FakeClock()
  const running = openBrowser('/tmp/page.html', machineWith(`read -r _ < ${gate}`), clock)
  clock.advance(3_000)
  expect(await running).toBe(true)
  writeFileSync(gate, '\n')
})
