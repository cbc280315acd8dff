/** A person takes a terminal over in the page, and gives it back. */

import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../e2e/instance.ts'
import { launchBrowser, lookAt, openTerminal, pageInstance, screenOf, signedIn } from './browser-page.ts'

const instance = pageInstance()
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  await instance.status()
  browser = await launchBrowser()
})

beforeEach(async () => {
  context = await browser.newContext()
  await openTerminal(instance, 'shared', 'cat')
  page = await signedIn(instance, context)
})

afterEach(async () => {
  await context.close()
  await instance.cli('close', 'shared')
})

afterAll(async () => {
  await browser.close()
  assert.deepEqual(await instance.stop(), [])
})

const mine = () => page.getByText('You have it, agents are kept out.')

test('whoever takes it over keeps agents out, sees for how long, and gives it back by a key', async () => {
  const agent = await instance.mcp()
  await lookAt(page, 'shared')
  await page.getByRole('button', { name: 'Take over' }).click()
  await mine().waitFor()
  await page.getByText(/^\d+ s left/).waitFor()
  const send = { terminalId: 'shared', text: 'from an agent', waitFor: 'none' } as const
  await expect(agent.call('send', send)).rejects.toMatchObject({ code: 'person_types' })
  await page.keyboard.type('from a person\n')
  await screenOf(page).getByText('from a person').first().waitFor()
  await page.keyboard.press('Control+Shift+G')
  await mine().waitFor({ state: 'detached' })
  await agent.call('send', send)
  await screenOf(page).getByText('from an agent').first().waitFor()
  expect((await instance.cli('screen', 'shared')).stdout).not.toContain('\x07')
})

test('others see who has it, in the list, beside the terminal and above it', async () => {
  await lookAt(page, 'shared')
  await page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  const other = await signedIn(instance, await browser.newContext())
  await other.locator('.holder').getByText('taken by page').waitFor()
  await lookAt(other, 'shared')
  await other.getByText('Taken over by page').waitFor()
  await other.getByRole('button', { name: 'Take over' }).waitFor()
  await other.context().close()
})

test('where only agents type, a key is refused and it is said why, and taking it over helps', async () => {
  await instance.cli('take', 'shared')
  await instance.cli('release', 'shared', '--agents-only')
  await lookAt(page, 'shared')
  await page.getByText('Only agents type here.', { exact: true }).waitFor()
  await page.keyboard.type('x')
  await page.getByText('your keys were not typed').waitFor()
  await page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  await page.keyboard.type('typed now\n')
  await screenOf(page).getByText('typed now').first().waitFor()
})

test('a half line of an agent is taken back, and the person is told of it', async () => {
  const agent = await instance.mcp()
  await agent.call('send', { terminalId: 'shared', text: 'half', newline: false, waitFor: 'none' })
  await lookAt(page, 'shared')
  await page.keyboard.press('Control+Shift+G')
  await page.getByText(/(Taken back of the agent’s line|The agent has typed this and not entered it): half/).waitFor()
})

test('it is given back when the page is closed, and kept over a daemon that was killed', async () => {
  await lookAt(page, 'shared')
  await page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  process.kill((await instance.status()).daemon.pid, 'SIGKILL')
  await page.getByText('Reconnecting.').waitFor()
  await instance.status()
  await page.getByText('Reconnecting.').waitFor({ state: 'detached' })
  await mine().waitFor()
  const rpc = await instance.rpc()
  await page.goto('about:blank')
  await until(async () => {
    const events = rpc.watch({ overview: true })[Symbol.asyncIterator]()
    const { value } = await events.next()
    await events.return?.(undefined)
    return value?.terminals[0]?.mayType === 'both'
  })
})
