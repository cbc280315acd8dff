/** A signed-in page of an instance in a real browser, for tests of its views. */

import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import type { Instance } from './instance.ts'
import { scratchInstance } from './scratch.ts'

export const pageInstance = (env: Readonly<Record<string, string>> = {}): Instance =>
  scratchInstance({ AGENTPTY_HTTP_PORT: '0', ...env })

/** The browser's errors, in addition to those that the page shows. */
export const faultsOf = new WeakMap<Page, string[]>()

/** Collects the errors of a page from now on. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = []
  faultsOf.set(page, faults)
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text())
  })
  return faults
}

export interface SignedInOptions {
  /** The view that it starts with. */
  readonly room?: string
  /** Called with the page before it loads. */
  readonly before?: (page: Page) => Promise<void>
}

export async function signedIn(
  instance: Pick<Instance, 'cli'>,
  context: BrowserContext,
  { room = 'Agents', before }: SignedInOptions = {},
): Promise<Page> {
  const page = await context.newPage()
  await before?.(page)
  watchFaults(page)
  const { stdout, code, stderr } = await instance.cli('open', '--print')
  assert.equal(code, 0, stderr)
  await page.goto(stdout.trim())
  await page.getByRole('heading', { name: room, exact: true }).waitFor()
  await page.getByTitle('Connected', { exact: true }).waitFor()
  return page
}

export async function openTerminal(instance: Instance, name: string, ...command: readonly string[]): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--name', name, ...command)
  assert.equal(code, 0, stderr)
}

export async function closeAll(instance: Instance): Promise<void> {
  const client = await instance.rpc({}, { isPerson: true })
  const { terminals } = await client.call('list', {})
  for (const { terminalId } of terminals) await client.call('close', { terminalId })
}

export const screenOf = (page: Page) => page.locator('.xterm-rows')

/** Waits until the terminal is shown and focused. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.locator('.rows .name').getByText(name, { exact: true }).click()
  await screenOf(page).waitFor()
  await page.locator('.xterm-helper-textarea').focus()
}

/** The text as a person reads it, without padding. */
export async function shown(page: Page): Promise<string> {
  const rows = await screenOf(page).locator('> div').allTextContents()
  return rows
    .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
    .join('\n')
    .trimEnd()
}
