/** Returning to the page after a sleep or with the back button: everything is up to date. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, shown } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'

/** How long the program works and the browser sleeps. */
const sleepSeconds = 30
const testTimeoutMs = 120_000
const at = eachPage({
  // The browser caches pages for its back button, as a person's browser does.
  launch: { ignoreDefaultArgs: ['--disable-back-forward-cache'] },
  before: (instance) => openTerminal(instance, 'shell', 'bash', '--norc'),
  ready: async (page) => {
    await lookAt(page, 'shell')
    await page.keyboard.type('echo before-$((1+1))\n')
    await screenOf(page).getByText('before-2').waitFor()
  },
})
const { instance } = at
let elsewhere: Server

beforeAll(async () => {
  elsewhere = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('elsewhere'))
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
})

afterAll(() => void elsewhere.close())

/** Signals the browser and all its processes. */
function signalBrowser(signal: 'STOP' | 'CONT'): void {
  const pids = execFileSync('pgrep', ['-f', '--', browserMark()]).toString().trim().split('\n')
  for (const pid of pids) process.kill(Number(pid), `SIG${signal}`)
}

/** The folder of its profile, which is in the arguments of all its processes. */
function browserMark(): string {
  const words = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'args=', '-ww']).toString()
  const [, folder] = /--user-data-dir=(\S+)/.exec(words) ?? []
  assert.ok(folder, words)
  return folder
}

test(
  'after half a minute of sleep, with a killed daemon and much output, the page is complete and keys arrive once',
  async () => {
    await at.page.evaluate(() => Object.assign(window, { isSame: true }))
    signalBrowser('STOP')
    await instance.killDaemon()
    const client = await instance.rpc()
    const { terminals } = await client.call('list', {})
    const [{ terminalId } = { terminalId: '' }] = terminals
    const text = `sleep ${sleepSeconds}; seq 1 20000; echo slept-$((3+3))`
    await client.call('send', { terminalId, text, waitFor: { text: 'slept-6' }, waitTimeoutMs: 2_000 * sleepSeconds })
    signalBrowser('CONT')
    await screenOf(at.page).getByText('slept-6').waitFor({ timeout: 30_000 })
    expect(await shown(at.page)).toContain('19999\n20000\nslept-6')
    await at.page.locator('.xterm-helper-textarea').focus()
    await at.page.keyboard.type('echo after-$((2+2))\n')
    await screenOf(at.page).getByText('after-4').waitFor()
    expect((await shown(at.page)).match(/echo after/g)).toHaveLength(1)
    expect(await at.page.evaluate(() => Object.hasOwn(window, 'isSame'))).toBe(true)
  },
  testTimeoutMs,
)

test(
  'the back button returns from another page, with the events of the meantime',
  async () => {
    await at.page.evaluate(() => Object.assign(window, { isSame: true }))
    await at.page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    await at.page.getByText('elsewhere').waitFor()
    const { code } = await instance.cli('send', 'shell', 'echo meanwhile-$((4+4))')
    expect(code).toBe(0)
    await at.page.goBack({ waitUntil: 'commit' })
    // The same at.page, from the browser's cache.
    expect(await at.page.evaluate(() => Object.hasOwn(window, 'isSame'))).toBe(true)
    await screenOf(at.page).getByText('meanwhile-8').waitFor()
    await at.page.locator('.xterm-helper-textarea').focus()
    await at.page.keyboard.type('echo back-$((5+5))\n')
    await screenOf(at.page).getByText('back-10').waitFor()
    expect((await shown(at.page)).match(/echo back/g)).toHaveLength(1)
  },
  testTimeoutMs,
)
