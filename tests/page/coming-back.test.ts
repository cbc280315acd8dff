/** Whoever comes back to the page, from a sleep or by the back button, finds everything as it is by then. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  closeAll,
  faultsOf,
  lookAt,
  openTerminal,
  pageInstance,
  screenOf,
  shown,
  signedIn,
} from '../harness/browser-page.ts'

/** How long the program works, and the browser sleeps. */
const sleepSeconds = 30
const testTimeoutMs = 120_000
const instance = pageInstance()

let browser: Browser
let context: BrowserContext
let page: Page
let elsewhere: Server

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    // Pages are kept as they are for whoever goes back, as in a person's browser.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  elsewhere = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('elsewhere'))
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
}, testTimeoutMs)

beforeEach(async () => {
  context = await browser.newContext()
  await openTerminal(instance, 'shell', 'bash', '--norc')
  page = await signedIn(instance, context)
  await lookAt(page, 'shell')
  await page.keyboard.type('echo before-$((1+1))\n')
  await screenOf(page).getByText('before-2').waitFor()
})

afterEach(async () => {
  expect(faultsOf.get(page)).toEqual([])
  await context.close()
  await closeAll(instance)
})

afterAll(async () => {
  elsewhere.close()
  await browser.close()
  assert.deepEqual(await instance.stop(), [])
}, testTimeoutMs)

/** Of the browser, with all that it has started. */
function signalBrowser(signal: 'STOP' | 'CONT'): void {
  const pids = execFileSync('pgrep', ['-f', '--', browserMark()]).toString().trim().split('\n')
  for (const pid of pids) process.kill(Number(pid), `SIG${signal}`)
}

/** The folder of its profile, which all its processes have among their words. */
function browserMark(): string {
  const words = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'args=', '-ww']).toString()
  const [, folder] = /--user-data-dir=(\S+)/.exec(words) ?? []
  assert.ok(folder, words)
  return folder
}

test(
  'after a sleep of half a minute, in which a daemon was killed and another wrote much, all is there and keys arrive once',
  async () => {
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    signalBrowser('STOP')
    process.kill((await instance.status()).daemon.pid, 'SIGKILL')
    const client = await instance.rpc()
    const { terminals } = await client.call('list', {})
    const [{ terminalId } = { terminalId: '' }] = terminals
    const text = `sleep ${sleepSeconds}; seq 1 20000; echo slept-$((3+3))`
    await client.call('send', { terminalId, text, waitFor: { text: 'slept-6' }, waitTimeoutMs: 2_000 * sleepSeconds })
    signalBrowser('CONT')
    await screenOf(page).getByText('slept-6').waitFor({ timeout: 30_000 })
    expect(await shown(page)).toContain('19999\n20000\nslept-6')
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('echo after-$((2+2))\n')
    await screenOf(page).getByText('after-4').waitFor()
    expect((await shown(page)).match(/echo after/g)).toHaveLength(1)
    expect(await page.evaluate(() => Object.hasOwn(window, 'isSame'))).toBe(true)
  },
  testTimeoutMs,
)

test(
  'from another page by the back button, with what happened meanwhile',
  async () => {
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    await page.getByText('elsewhere').waitFor()
    const { code } = await instance.cli('send', 'shell', 'echo meanwhile-$((4+4))')
    expect(code).toBe(0)
    await page.goBack({ waitUntil: 'commit' })
    // The very page, which the browser has kept.
    expect(await page.evaluate(() => Object.hasOwn(window, 'isSame'))).toBe(true)
    await screenOf(page).getByText('meanwhile-8').waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('echo back-$((5+5))\n')
    await screenOf(page).getByText('back-10').waitFor()
    expect((await shown(page)).match(/echo back/g)).toHaveLength(1)
  },
  testTimeoutMs,
)
