/** Links in a terminal of the page: shown in full before they open, and opened only with a key and only for the web. */

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({
  context: withAxe,
  browser: { viewport: { width: 1200, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] },
})

let server: Server
let address: string
let requests: IncomingHttpHeaders[]

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    requests.push(headers)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>there</title><p>there')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
})

afterAll(() => server.close())

/** Prints the lines, and shows the terminal. */
async function show(page: Page, ...lines: readonly string[]): Promise<void> {
  requests = []
  await openTerminal(at.instance, 'links', 'sh', '-c', `printf '%b\\n' "$@"; echo printed; exec cat`, 'sh', ...lines)
  await lookAt(page, 'links')
  await screenOf(page).getByText('printed').waitFor()
}

const hyperlink = (target: string, text: string) => `\\033]8;;${target}\\007${text}\\033]8;;\\007`
const textOf = (page: Page, text: string) => screenOf(page).getByText(text)
const bar = (page: Page) => page.getByRole('tooltip')
/** The emulator has a layer for the mouse above its rows. */
const start = { position: { x: 12, y: 5 }, force: true }

test('an address shows its host below the mouse, and opens in a tab of its own with Ctrl and a click only', async () => {
  const { page } = at
  await show(page, address)
  await textOf(page, address).hover(start)
  await bar(page).getByText('opens it in a new tab').waitFor()
  expect(await bar(page).locator('strong').textContent()).toBe(new URL(address).host)
  await textOf(page, address).click(start)
  expect(requests).toEqual([])
  const [opened] = await Promise.all([
    at.context.waitForEvent('page'),
    textOf(page, address).click({ ...start, modifiers: ['Control'] }),
  ])
  await opened.waitForLoadState()
  expect(opened.url()).toBe(address)
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  expect(requests[0]?.referer).toBeUndefined()
  await opened.close()
})

test('a hyperlink shows where it leads, and warns if its text names another host', async () => {
  const { page } = at
  await show(page, hyperlink('https://evil.example/login', 'https://good.example/login'))
  const check = async () => {
    await textOf(page, 'good.example').hover(start)
    await bar(page).getByText('The text names another host: good.example.').waitFor()
    expect(await bar(page).locator('strong').textContent()).toBe('evil.example')
  }
  await check()
  // A page that is loaded again draws it from a snapshot.
  await page.reload()
  await screenOf(page).getByText('printed').waitFor()
  await check()
  await page.mouse.move(0, 0)
  await bar(page).waitFor({ state: 'detached' })
})

test('what a program prints cannot cover the address', async () => {
  const { page } = at
  const full = Array.from({ length: 40 }, (_, row) => `row ${row} ${'#'.repeat(100)}`)
  await show(page, ...full, hyperlink('https://x.example/', 'open me'))
  await textOf(page, 'open me').hover(start)
  await bar(page).waitFor()
  const isOnTop = await bar(page).evaluate((element) => {
    element.style.pointerEvents = 'auto'
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
  expect(isOnTop).toBe(true)
})

test('an address of another scheme is shown and not opened', async () => {
  const { page } = at
  await show(page, hyperlink('javascript:document.title="run"', 'a script'), hyperlink('file:///etc/passwd', 'a file'))
  const pages: Page[] = []
  at.context.on('page', (opened) => pages.push(opened))
  for (const [text, shown] of [
    ['a script', 'javascript:document.title="run"'],
    ['a file', 'file:///etc/passwd'],
  ] as const) {
    await textOf(page, text).hover(start)
    await until(async () => (await bar(page).locator('code').textContent()) === shown)
    await textOf(page, text).click({ ...start, modifiers: ['Control'] })
    await page.locator('.toast', { hasText: `Not opened: ${shown}` }).waitFor()
  }
  expect(pages).toEqual([])
  expect(await page.title()).not.toBe('run')
})

test('a file with a line is copied with the folder of its program', async () => {
  const { page } = at
  await show(page, 'src/a.ts:3:5 - error')
  await textOf(page, 'src/a.ts').hover(start)
  const path = `${process.cwd()}/src/a.ts:3:5`
  await bar(page).getByText(path).waitFor()
  await textOf(page, 'src/a.ts').click({ ...start, modifiers: ['Control'] })
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === path)
})

test('on a phone, a tap on a hyperlink shows its address before it opens', async () => {
  const { instance, browser } = at
  await openTerminal(instance, 'links', 'printf', '%b\\n', hyperlink(address, 'the docs'))
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
  await withAxe(context)
  const page = await signedIn(instance, context, { room: 'Needs you' })
  await page.getByRole('link', { name: 'Agents' }).tap()
  await page.locator('.rows .name').getByText('links', { exact: true }).tap()
  requests = []
  await page.locator('.line a', { hasText: 'the docs' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(new URL(address).host).waitFor()
  expect(requests).toEqual([])
  expect(await violationsIn(page)).toEqual([])
  const [opened] = await Promise.all([context.waitForEvent('page'), dialog.getByRole('link').tap()])
  await opened.waitForLoadState()
  expect(opened.url()).toBe(address)
  await context.close()
})

test('the keyboard alone reaches all links of the screen', async () => {
  const { page } = at
  await show(
    page,
    address,
    hyperlink('https://evil.example/', 'https://good.example/'),
    'b.c:7',
    hyperlink('ftp://x/', 'f'),
  )
  await page.keyboard.press('Control+Shift+Escape')
  await page.getByRole('button', { name: 'Links on the screen' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The text names another host: good.example.').waitFor()
  expect(await dialog.locator('li').count()).toBe(4)
  expect(await violationsIn(page)).toEqual([])
  await dialog.getByRole('link', { name: `Open ${address}` }).focus()
  const [opened] = await Promise.all([at.context.waitForEvent('page'), page.keyboard.press('Enter')])
  await opened.waitForLoadState()
  expect(await opened.evaluate(() => window.opener)).toBe(null)
  await opened.close()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})
