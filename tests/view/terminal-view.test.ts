/** The page that MCP Apps hosts show, in a real browser, within the protocol's own host library. */

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CallToolRequest, CallToolResult, Client } from '@modelcontextprotocol/client'
import { build } from 'esbuild'
import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const profile = scratchFolder()
const testTimeoutMs = 60_000

let browser: BrowserContext
let client: Client
let server: Server
let page: Page

beforeAll(async () => {
  client = (await instance.mcp('new')).protocol
  server = await serveHostPage()
  browser = await openBrowser(profile)
}, testTimeoutMs)

beforeEach(async () => {
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.exposeFunction('callTool', (params: CallToolRequest['params']) => client.callTool(params))
})

afterEach(() => page.close())

afterAll(async () => {
  await browser.close()
  server.close()
}, testTimeoutMs)

async function serveHostPage(): Promise<Server> {
  const entryPoints = [join(import.meta.dirname, 'host-page.mjs')]
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false, logLevel: 'warning' })
  const html = `<!doctype html><meta charset=utf-8><body><script type=module>${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
  const made = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)))
}

interface Shown {
  readonly canCall?: boolean
  readonly context?: object
}

/** Acts as a host: finds the page by the called tool, and passes it the call and its result. */
async function show(tool: string, input: object, { canCall = true, context = {} }: Shown = {}): Promise<FrameLocator> {
  const { tools } = await client.listTools()
  const meta = tools.find(({ name }) => name === tool)?._meta as { ui: { resourceUri: string } }
  const { contents } = await client.readResource({ uri: meta.ui.resourceUri })
  const [view] = contents
  assert.ok(view !== undefined && 'text' in view)
  assert.equal(view.mimeType, 'text/html;profile=mcp-app')
  const result = (await client.callTool({ name: tool, arguments: { ...input } })) as CallToolResult
  await page.waitForFunction('globalThis.showView !== undefined')
  const given = JSON.stringify({ page: view.text, input, result, context, canCall })
  await page.evaluate(`globalThis.showView(${given})`)
  return page.frameLocator('iframe')
}

test(
  'shows a terminal live, with input from any client',
  async () => {
    const frame = await show('terminal_create', { command: 'bash --norc', name: 'shell' })
    const rows = frame.locator('.xterm-rows')
    await rows.waitFor()
    await frame.locator('#screen').click()
    await page.keyboard.type('echo "by hand: $((6*7))"')
    await page.keyboard.press('Enter')
    await rows.getByText('by hand: 42').waitFor()
    await client.callTool({
      name: 'terminal_send',
      arguments: { terminalId: 'shell', text: "printf '\\033[1;32mby model\\033[0m\\n'" },
    })
    const colored = rows.locator('span', { hasText: 'by model' }).last()
    await colored.waitFor()
    expect(await colored.getAttribute('class')).toContain('xterm-fg-10')
    await frame.locator('#turn[data-state=ready]').waitFor()
    expect(await frame.locator('#turn').textContent()).toContain('your turn')
    await page.keyboard.press('Control+d')
    await frame.getByText('The program has ended.').waitFor()
  },
  testTimeoutMs,
)

test(
  'shows full-screen programs, and arrows move in them',
  async () => {
    const frame = await show('terminal_create', { command: 'seq 1 200 | less' })
    await frame.locator('.xterm-rows').getByText('23', { exact: false }).first().waitFor()
    await frame.locator('#screen').click()
    await page.keyboard.press('PageDown')
    await frame.locator('.xterm-rows').getByText('40', { exact: false }).first().waitFor()
    await page.waitForFunction('globalThis.viewSize?.height > 100')
    await page.evaluate('globalThis.endView()')
  },
  testTimeoutMs,
)

test(
  'uses the colours of its host, and shows a message if no tool can be called',
  async () => {
    const context = { theme: 'light', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } }
    const frame = await show('terminal_create', { command: 'cat' }, { canCall: false, context })
    await frame.getByText('This host shows no live terminals.').waitFor()
    const color = `getComputedStyle(document.getElementById('name')).color`
    const [, view] = page.frames()
    assert.equal(await view?.evaluate(color), 'rgb(1, 2, 3)')
  },
  testTimeoutMs,
)

test(
  'shows the reason when its terminal is closed',
  async () => {
    const frame = await show('terminal_create', { command: 'cat', name: 'gone' })
    await frame.locator('#turn').waitFor()
    await client.callTool({ name: 'terminal_close', arguments: { terminalId: 'gone' } })
    await frame.locator('#hint', { hasText: 'No terminal' }).waitFor()
  },
  testTimeoutMs,
)
