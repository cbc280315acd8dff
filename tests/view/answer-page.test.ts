/** The page for secret answers in a real browser: input typed there arrives, and no input from any other page. */

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { program } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'
import { violationsIn, withAxe } from '../page/axe.ts'

const instance = scratchInstance()
const profile = scratchFolder()

let browser: BrowserContext
let page: Page
let other: Server | null

beforeAll(async () => {
  browser = await openBrowser(profile)
  await withAxe(browser)
})

beforeEach(async () => {
  page = await browser.newPage()
  other = null
})

afterEach(async () => {
  await page.close()
  other?.close()
})

afterAll(async () => {
  await browser.close()
})

/** A program asks for a PIN; `person` receives the address given to its client. */
async function askPerson(person: (url: string) => Promise<void>): Promise<string> {
  const caller: McpCaller = await instance.mcp('new', program, { elicitation: { url: {} } })
  caller.protocol.setRequestHandler('elicitation/create', async ({ params }) => {
    assert.ok(params.mode === 'url')
    await person(params.url)
    return { action: 'accept' }
  })
  const code = "import getpass; print('length', len(getpass.getpass('PIN: ')))"
  const { terminalId } = await caller.call('create', { command: ['python3', '-c', code] })
  const result = await caller.protocol.callTool({ name: 'terminal_ask_person', arguments: { terminalId } })
  return JSON.stringify(result)
}

/** A page of another server of this machine, with a form that targets the address. */
async function pageElsewhere(url: string, policy: string): Promise<string> {
  const form = `<form method="post" action="${url}"><input name="answer" value="stolen"><button>Go</button></form>`
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': policy }).end(`<!doctype html>${form}`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  other = server
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function answerOn(url: string, send: () => Promise<void>): Promise<void> {
  await page.goto(url)
  await expect(page.textContent('pre')).resolves.toContain('PIN:')
  // The field is focused without a click.
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('swordfish')
  await send()
  await page.getByText('Typed. You can close this page.').waitFor()
}

test.each<[string, () => Promise<void>]>([
  ['the button', () => page.getByRole('button', { name: 'Type it' }).click()],
  ['Enter', () => page.keyboard.press('Enter')],
])('an answer that a person types there and sends with %s is typed into the terminal', async (_how, send) => {
  const result = await askPerson((url) => answerOn(url, send))
  expect(result).toContain('length 9')
  expect(result).not.toContain('swordfish')
})

test('the page may be opened under any name of this machine', async () => {
  const send = () => page.keyboard.press('Enter')
  expect(await askPerson((url) => answerOn(url.replace('127.0.0.1', 'localhost'), send))).toContain('length 9')
})

test.each(['unsafe-url', 'no-referrer'])('another server that knows the address cannot answer (%s)', async (policy) => {
  const result = await askPerson(async (url) => {
    await page.goto(await pageElsewhere(url, policy))
    const [refused] = await Promise.all([page.waitForResponse(url), page.getByRole('button').click()])
    assert.equal(refused.status(), 403)
    await answerOn(url, () => page.keyboard.press('Enter'))
  })
  expect(result).toContain('length 9')
})

test('a link on another page leads to it, because clients show it as a link', async () => {
  const result = await askPerson(async (url) => {
    await page.goto(await pageElsewhere(url, 'unsafe-url'))
    await page.setContent(`<a href="${url}">Answer</a>`)
    await page.getByRole('link').click()
    await page.getByLabel('Answer').fill('swordfish')
    await page.keyboard.press('Enter')
    await page.getByText('Typed.').waitFor()
  })
  expect(result).toContain('length 9')
})

test.each(['light', 'dark'] as const)(
  'it looks like the page of a browser that is not signed in (%s)',
  async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await askPerson(async (url) => {
      await page.goto(new URL('/', url).href)
      await page.locator('.card h1').waitFor()
      const signedOut = await looksOf('.card')
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(url)
      expect(await looksOf('main')).toEqual(signedOut)
      expect(await violationsIn(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      const shots = process.env['AGENTPTY_SHOTS']
      if (shots !== undefined) await page.screenshot({ path: `${shots}/answer-${colorScheme}.png` })
      await answerOn(url, () => page.keyboard.press('Enter'))
    })
  },
)

/** The computed looks of a page with one card. */
const looksOf = (card: string) =>
  page.evaluate((selector) => {
    const styleOf = (name: string) => {
      const { color, backgroundColor, fontFamily, fontSize, borderRadius } = getComputedStyle(
        document.querySelector(name) as Element,
      )
      return { color, backgroundColor, fontFamily, fontSize, borderRadius }
    }
    return [styleOf('body'), styleOf(selector), styleOf(`${selector} h1`), styleOf(`${selector} .mark`)]
  }, card)
