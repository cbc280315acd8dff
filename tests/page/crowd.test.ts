/** A list of a thousand terminals, as a person uses it: complete, searchable, and usable to its end. */

import { sessionsMax } from '@agentpty/protocol/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../harness/browser.ts'
import { closeAll, faultsOf, pageInstance, screenOf, signedIn } from '../harness/browser-page.ts'

const timeoutMs = 240_000
const instance = pageInstance()

let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const client = await instance.rpc()
  const names = Array.from({ length: sessionsMax }, (_, at) => `job-${at}`)
  const open = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      await client.call('create', { name, command: ['cat'], waitFor: 'none' })
  }
  await Promise.all(Array.from({ length: 8 }, open))
  browser = await launchBrowser()
  context = await browser.newContext()
  page = await signedIn(instance, context)
}, timeoutMs)

afterAll(async () => {
  await browser.close()
  await closeAll(instance)
}, timeoutMs)

test(
  'all terminals are counted, the last is reached by scrolling, and one found by name accepts keys',
  async () => {
    await page
      .getByText(new RegExp(`\\b${sessionsMax.toLocaleString('en')}\\b|\\b${sessionsMax}\\b`))
      .first()
      .waitFor()
    const lastRow = page.locator('.rows .name').getByText(`job-${sessionsMax - 1}`, { exact: true })
    await lastRow.scrollIntoViewIfNeeded()
    await lastRow.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('job-742')
    await page.locator('.rows .name').getByText('job-742', { exact: true }).click()
    await screenOf(page).waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('one of many\n')
    await screenOf(page).getByText('one of many').nth(1).waitFor()
    expect(faultsOf.get(page)).toEqual([])
  },
  timeoutMs,
)

test(
  'the wall has a tile for each terminal and draws only the visible ones',
  async () => {
    await page.goto(`${new URL(page.url()).origin}/#/wall`)
    await page
      .locator('.tile')
      .nth(sessionsMax - 1)
      .waitFor({ state: 'attached' })
    await page.locator('.tile canvas').first().waitFor()
    expect(await page.locator('.tile canvas').count()).toBeLessThan(sessionsMax / 4)
    const lastTile = page.locator('.tile').last()
    await lastTile.scrollIntoViewIfNeeded()
    await lastTile.locator('canvas').waitFor()
    await page.locator('.tile').first().locator('canvas').waitFor({ state: 'detached' })
    expect(faultsOf.get(page)).toEqual([])
  },
  timeoutMs,
)
