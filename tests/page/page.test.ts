/** The page in a real browser: opening, watching, typing and returning. Pages of other ports get no access. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, openBrowser } from '../harness/browser.ts'
import { pageInstance, watchFaults } from '../harness/browser-page.ts'
import { codeIn } from '../harness/device.ts'
import { until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const instance = pageInstance()
const profile = scratchFolder()

let browser: BrowserContext
let page: Page
let base: string
/** The browser's errors, and its requests to other servers. */
let faults: string[]
let other: Server | null

beforeAll(async () => {
  base = (await instance.status()).http?.url ?? ''
  browser = await openBrowser(profile)
})

beforeEach(async () => {
  page = await freshPage()
  other = null
})

afterEach(async () => {
  await page.close()
  other?.close()
  await instance.cli('devices', 'revoke', 'all')
})

afterAll(async () => {
  await browser.close()
})

async function freshPage(): Promise<Page> {
  const fresh = await browser.newPage()
  faults = watchFaults(fresh)
  fresh.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:')) faults.push(request.url())
  })
  return fresh
}

async function address(...flags: readonly string[]): Promise<string> {
  return (await instance.cli('open', '--print', ...flags)).stdout.trim()
}

const row = (name: string) => page.locator('.rows .name').getByText(name, { exact: true })
const screen = () => page.locator('.xterm-rows')

/** Waits until the terminal is shown and focused. */
async function lookAt(name: string): Promise<void> {
  await row(name).click()
  await screen().waitFor()
  await page.locator('.xterm-helper-textarea').focus()
}

async function open(name: string, ...command: readonly string[]): Promise<void> {
  assert.equal((await instance.cli('new', '--name', name, ...command)).code, 0)
}

test('a person opens the page, sees vim’s screen, types into it, and sees the result', async () => {
  await open('editor', 'vim', '-u', 'NONE', '-c', 'set noswapfile')
  await page.goto(await address())
  await row('editor').click()
  await screen().getByText('VIM - Vi IMproved').waitFor()
  await page.keyboard.type('ihello, page')
  await screen().getByText('hello, page').waitFor()
  const { stdout } = await instance.cli('screen', 'editor')
  expect(stdout).toContain('hello, page')
  expect(faults).toEqual([])
  await instance.cli('close', 'editor')
})

test('a person watches htop draw, uses its menus, and sees it end', async () => {
  await open('monitor', 'htop')
  await page.goto(await address())
  await lookAt('monitor')
  await screen().getByText('Load average').waitFor()
  await page.keyboard.press('F5')
  await screen().getByText('F5List').waitFor()
  await page.keyboard.press('F10')
  await page
    .getByText(/ended|exited/i)
    .first()
    .waitFor()
  await instance.cli('close', 'monitor')
})

test('the address has no code, the history has no valid one, and there is no cookie', async () => {
  const url = await address()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  expect(page.url()).toBe(`${base}/`)
  expect(await browser.cookies()).toEqual([])
  const again = await browser.newPage()
  await again.goto('about:blank')
  await again.goto(url)
  await again.getByRole('heading', { name: 'Agents' }).waitFor()
  expect((await instance.cli('devices')).stdout.trim().split('\n')).toHaveLength(1)
  await again.close()
})

test('the next visit needs no code, even after a restart of the browser', async () => {
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await browser.close()
  browser = await openBrowser(profile)
  page = await freshPage()
  await page.goto(base)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  expect(faults).toEqual([])
})

test('signing in again replaces the device instead of adding one', async () => {
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.goto('about:blank')
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await until(async () => (await instance.cli('devices')).stdout.trim().split('\n').length === 1)
})

test('after a kill of the daemon the page continues with the next one, without a reload', async () => {
  await open('shell', 'bash', '--norc')
  await page.goto(await address())
  await lookAt('shell')
  await page.keyboard.type('echo before-$((1+1))\n')
  await screen().getByText('before-2').waitFor()
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await instance.killDaemon()
  await page.getByText('Reconnecting. The terminal keeps running. Your input waits.').waitFor()
  expect((await instance.status()).http?.url).toBe(base)
  await page.getByText('Reconnecting. The terminal keeps running. Your input waits.').waitFor({ state: 'detached' })
  await screen().getByText('before-2').waitFor()
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('echo after-$((2+2))\n')
  await screen().getByText('after-4').waitFor()
  expect(await page.evaluate(() => Object.hasOwn(window, 'isSame'))).toBe(true)
  await instance.cli('close', 'shell')
})

test('a terminal is opened, renamed, fitted and closed in the page', async () => {
  await page.goto(await address())
  await page.getByRole('button', { name: 'New terminal' }).first().click()
  await screen().waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name', { exact: true }).fill('mine')
  await page.getByRole('button', { name: 'Rename', exact: true }).last().click()
  await page.getByRole('heading', { name: 'mine' }).waitFor()
  const sizeOf = async () => JSON.parse((await instance.cli('screen', 'mine', '--json')).stdout).cols
  const before = await sizeOf()
  await page.getByRole('button', { name: /^Size / }).click()
  await page.getByRole('button', { name: 'Fit once' }).click()
  await until(async () => (await sizeOf()) !== before)
  await page.getByText(`${await sizeOf()}×`).waitFor()
  await page.getByRole('button', { name: 'Close terminal' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close terminal' }).click()
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await until(async () => !(await instance.cli('ls')).stdout.includes('mine'))
})

test('scrolled-off output is in the scrollback, and new output follows below it', async () => {
  await open('long', 'bash', '--norc')
  await instance.cli('send', 'long', 'seq -f line-%g 200')
  await page.goto(await address())
  await lookAt('long')
  await screen().getByText('line-200', { exact: true }).waitFor()
  await page.locator('.xterm-screen').hover()
  await until(async () => {
    await page.mouse.wheel(0, -400)
    return (await screen().getByText('line-100', { exact: true }).count()) === 1
  })
  await page.keyboard.type('echo more-$((3+3))\n')
  await screen().getByText('more-6').waitFor()
  await instance.cli('close', 'long')
})

test('after a gap in the output, the redrawn screen is followed by later output', async () => {
  await open('under', 'bash', '--norc')
  await instance.cli('send', 'under', 'echo below-$((4+4)); vim -u NONE')
  await page.goto(await address())
  await lookAt('under')
  await screen().getByText('VIM - Vi IMproved').waitFor()
  await page.keyboard.type(':q\n')
  await screen().getByText('below-8').waitFor()
  await instance.cli('close', 'under')
})

test('shortcuts work outside the terminal, and Ctrl+Shift+Escape leaves it', async () => {
  await open('cat', 'cat')
  await page.goto(await address())
  await lookAt('cat')
  await page.keyboard.type('td')
  await screen().getByText('td').waitFor()
  await page.keyboard.press('Control+Shift+Escape')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.keyboard.press('d')
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
  await instance.cli('close', 'cat')
})

test('a program’s query to its terminal is answered once, and not by the page', async () => {
  await open('asker', 'bash', '--norc')
  await page.goto(await address())
  await lookAt('asker')
  await page.keyboard.type(`printf '\\e[c\\e[6n\\e[?1004h'; read -rs -t 1 -d '' all; printf '%q' "$all" | wc -c\n`)
  await screen().getByText(/^\d+$/).first().waitFor()
  const { stdout } = await instance.cli('screen', 'asker')
  // Two answers: the type of the terminal, and the cursor position.
  expect(stdout.match(/^(\d+)$/m)?.[1]).toMatch(/^(1\d|2\d)$/)
  await instance.cli('close', 'asker')
})

test('a read-only browser sees the terminal and cannot type', async () => {
  await open('seen', 'cat')
  await open('hidden', 'cat')
  await page.goto(await address('--read-only', '--terminal', 'seen'))
  await row('seen').waitFor()
  await page.getByText('Read-only: you can watch').waitFor()
  expect(await row('hidden').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New terminal' }).count()).toBe(0)
  await lookAt('seen')
  await page.keyboard.type('nothing')
  await instance.cli('send', 'seen', 'from outside')
  await screen().getByText('from outside').first().waitFor()
  expect((await instance.cli('screen', 'seen')).stdout).not.toContain('nothing')
  await instance.cli('close', 'seen', 'hidden')
})

test('a revoked device loses its page immediately', async () => {
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await instance.cli('devices', 'revoke', 'all')
  await page.getByRole('heading', { name: 'Open this page from your terminal' }).waitFor()
})

test('every page shows a message about a newly signed-in device', async () => {
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  const second = await launchBrowser()
  const stranger = await second.newPage()
  await stranger.goto(await address())
  await page.getByText('A new device has signed in').first().waitFor()
  await second.close()
})

/** A real server on another port of this machine, with its own page. */
async function elsewhere(): Promise<{ readonly url: string; readonly seen: () => string }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(JSON.stringify([request.url, request.headers]))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>dev server</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  other = server
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen: () => requests.join('\n') }
}

test('a page of another port signs in no browser, opens no socket and finds no key', async () => {
  const url = await address()
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  const { url: there, seen } = await elsewhere()
  await page.goto(there)
  const posted = await page.evaluate(
    async ([target, code]) => {
      const body = JSON.stringify({ code, publicKey: 'x' })
      const attempts = [
        fetch(`${target}/sign-in`, { method: 'POST', mode: 'no-cors', body, credentials: 'include' }),
        fetch(`${target}/sign-in`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
        fetch(`${target}/`, { credentials: 'include' }),
      ]
      const settled = await Promise.allSettled(attempts)
      return settled.map((one) => (one.status === 'fulfilled' ? `${one.value.type} ${one.value.status}` : 'refused'))
    },
    [base, codeIn(url)] as const,
  )
  expect(posted).toEqual(['refused', 'refused', 'refused'])
  const socket = await page.evaluate(
    (target) =>
      new Promise((resolve) => {
        const web = new WebSocket(`${target.replace('http', 'ws')}/wire`)
        web.onopen = () => resolve('open')
        web.onerror = () => resolve('refused')
      }),
    base,
  )
  expect(socket).toBe('refused')
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([])
  expect(seen()).not.toContain('cookie')
  expect(seen()).not.toContain(codeIn(url))
  await page.goto(url)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
})

test('a page of another port can neither frame the page nor keep a handle to its window', async () => {
  await page.goto(await address())
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.goto((await elsewhere()).url)
  await page.setContent(`<iframe src="${base}/"></iframe>`)
  await until(async () => page.frames().length === 2 && page.frames()[1]?.url() !== '')
  const framed = await page.frames()[1]?.content()
  expect(framed).not.toContain('/assets/page')
  const [opened] = await Promise.all([
    browser.waitForEvent('page'),
    page.evaluate((target) => void Object.assign(window, { opened: window.open(target) }), base),
  ])
  await opened.getByRole('heading', { name: 'Agents' }).waitFor()
  await until(() => page.evaluate(() => (window as unknown as { opened: Window | null }).opened?.closed === true))
  await opened.close()
})

test('the code loaded before the first terminal stays small', () => {
  const assets = 'packages/agentpty/dist/page/assets'
  const first = readdirSync(assets).filter((name) => name.startsWith('page-') && name.endsWith('.gz'))
  const bytes = first.map((name) => readFileSync(join(assets, name)).length).reduce((sum, size) => sum + size, 0)
  expect(first).toHaveLength(2)
  expect(bytes).toBeLessThan(45 * 1024)
})
