/** The tree of terminals in the page: who has started whom, found, folded and pinned. */

import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../e2e/instance.ts'
import { closeAll, faultsOf, launchBrowser, openTerminal, pageInstance, signedIn } from './browser-page.ts'

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
  page = await signedIn(instance, context)
})

afterEach(async () => {
  expect(faultsOf.get(page)).toEqual([])
  await context.close()
  await closeAll(instance)
})

afterAll(async () => {
  await browser.close()
  assert.deepEqual(await instance.stop(), [])
})

/** In the order in which they stand. */
const names = () => page.getByRole('list', { name: 'All terminals' }).locator('.name').allTextContents()

async function family(): Promise<void> {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { name: 'lead', command: ['cat'], waitFor: 'none' })
  const { terminals } = await client.call('list', {})
  const pid = terminals.find((one) => one.terminalId === terminalId)?.pid ?? 0
  const inside = await instance.rpcFrom(pid)
  await inside.call('create', { name: 'helper', command: ['cat'], waitFor: 'none' })
  await client.call('create', { name: 'other', command: ['cat'], waitFor: 'none' })
}

test('what was opened from a terminal stands below it, is folded by a key, and summed up', async () => {
  await family()
  await until(async () => (await names()).join() === 'lead,helper,other')
  await page.locator('.row', { hasText: 'lead' }).getByText('1 waiting').waitFor()
  await page.locator('.row a', { hasText: 'lead' }).focus()
  await page.keyboard.press('ArrowLeft')
  await until(async () => (await names()).join() === 'lead,other')
  await page.keyboard.press('ArrowRight')
  await until(async () => (await names()).join() === 'lead,helper,other')
  await page.getByRole('button', { name: 'What lead has opened' }).click()
  await until(async () => (await names()).join() === 'lead,other')
})

test('a filter shows what it asks for, with what stands above it, and a pinned one is there whatever it says', async () => {
  await family()
  await until(async () => (await names()).length === 3)
  await page.locator('.row a', { hasText: 'other' }).focus()
  await page.keyboard.press('p')
  await page.getByRole('region', { name: 'Pinned' }).getByText('other', { exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('help')
  await until(async () => (await names()).join() === 'lead,helper')
  await page.getByLabel('State').selectOption('failed')
  await page.getByRole('button', { name: 'Show all' }).click()
  await until(async () => (await names()).length === 3)
  await page.reload()
  await page.getByRole('region', { name: 'Pinned' }).getByText('other', { exact: true }).waitFor()
})

test('a line is found in the output of all terminals, also when it looks like a pattern', async () => {
  for (const name of ['one', 'two', 'three']) await openTerminal(instance, name, 'cat')
  await instance.cli('send', 'two', 'a needle (in [hay')
  await page.getByLabel('Find in the output of all terminals').fill('needle (in [hay')
  await page.keyboard.press('Enter')
  await page.getByText('“needle (in [hay” is in 1 of 3 terminals.').waitFor()
  await page.locator('.results').getByText('two', { exact: true }).click()
  await page.getByRole('heading', { name: 'two' }).waitFor()
})

const manyMax = 300

test('three hundred terminals are listed, found and gone through', async () => {
  const client = await instance.rpc()
  for (let at = 0; at < manyMax; at++)
    await client.call('create', { name: `many-${at}`, command: ['cat'], waitFor: 'none' })
  await until(async () => (await names()).length === manyMax)
  await page.keyboard.press('/')
  await page.keyboard.type('many-299')
  await until(async () => (await names()).join() === 'many-299')
  await page.keyboard.press('Escape')
  await page.getByLabel('Filter terminals').fill('')
  await until(async () => (await names()).length === manyMax)
  await page.locator('.row .name').getByText('many-299', { exact: true }).click()
  await page.getByRole('heading', { name: 'many-299' }).waitFor()
}, 120_000)
