/** The page for those who see little, or have no mouse. */

import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeAll, launchBrowser, openTerminal, pageInstance, screenOf, signedIn } from '../harness/browser-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

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
  await withAxe(context)
  await openTerminal(instance, 'asks', 'bash', '-c', "read -rp 'Go on? [y/N] ' x; echo got-$x; exec cat")
  await openTerminal(instance, 'secret', 'bash', '-c', "read -rsp 'PIN: ' x; exec cat")
  await openTerminal(instance, 'plain', 'cat')
  page = await signedIn(instance, context)
})

afterEach(async () => {
  await context.close()
  await closeAll(instance)
})

afterAll(async () => {
  await browser.close()
  assert.deepEqual(await instance.stop(), [])
})

const rooms: readonly (readonly [string, () => Promise<void>])[] = [
  ['needs', () => page.getByRole('article', { name: 'Yes or no: asks' }).waitFor()],
  ['agents', () => page.locator('.row .state.asks').first().waitFor()],
  ['terminal', () => page.getByText('You have it, agents are kept out.').waitFor()],
  ['wall', () => page.locator('.tile canvas').first().waitFor()],
  ['recordings', () => page.getByText('Nothing is recorded yet.').waitFor()],
  ['devices', () => page.getByText('this browser').waitFor()],
]

test('axe finds nothing wrong in any room, in light, in dark, and where there is little room', async () => {
  await page.locator('.row .state.asks').nth(1).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1_360, 320]) {
      await page.setViewportSize({ width, height: 800 })
      for (const [room, isShown] of rooms) {
        if (room !== 'terminal') await page.goto(`${page.url().split('#')[0]}#/${room}`)
        else {
          await page.goto(`${page.url().split('#')[0]}#/agents`)
          await page.locator('.rows .name').getByText('plain', { exact: true }).click()
          await screenOf(page).waitFor()
          await page.getByRole('button', { name: 'Take over' }).click()
        }
        await isShown()
        expect(await violationsIn(page), `${room}, ${colorScheme}, ${width} px`).toEqual([])
        if (room !== 'terminal') continue
        await page.keyboard.press('Control+Shift+G')
        await page.getByText('You have it, agents are kept out.').waitFor({ state: 'detached' })
      }
    }
  }
})

test('axe finds nothing wrong in what a terminal opens: its screen as text, and its size', async () => {
  await page.locator('.rows .name').getByText('plain', { exact: true }).click()
  await screenOf(page).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.press('Control+Shift+L')
    await page.getByRole('dialog').waitFor()
    expect(await violationsIn(page), `read screen, ${colorScheme}`).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /120×30/ }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsIn(page), `size, ${colorScheme}`).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

test('everything is done with keys alone: answered, typed, taken over and given back', async () => {
  const press = (key: string) => page.keyboard.press(key)
  await press('n')
  const asks = page.getByRole('article', { name: 'Yes or no: asks' })
  await asks.waitFor()
  await until(async () => {
    await press('j')
    return (await asks.getAttribute('aria-current')) === 'true'
  })
  await until(async () => {
    if ((await asks.locator('.answers').count()) > 0) await press('y')
    return (await instance.cli('screen', 'asks')).stdout.includes('got-y')
  })
  await press('t')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await until(async () => {
    await press('j')
    return (await page.evaluate(() => document.activeElement?.textContent ?? '')).startsWith('plain')
  })
  await press('Enter')
  await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' })
  await until(() => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea') === true))
  await page.keyboard.type('by keys\n')
  await screenOf(page).getByText('by keys').first().waitFor()
  await press('Control+Shift+G')
  await page.getByText('You have it, agents are kept out.').waitFor()
  await press('Control+Shift+G')
  await page.getByText('You have it, agents are kept out.').waitFor({ state: 'detached' })
  await press('Control+Shift+Escape')
  await press('d')
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
})
