/** The theme of the page and the look of terminals: chosen in the page, stored by the browser, and readable in each theme. */

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({ context: withAxe, browser: { colorScheme: 'light', viewport: { width: 1200, height: 800 } } })

beforeEach(() => openTerminal(at.instance, 'colors', 'bash', '-c', script))

/** Asks for the background, then prints the sixteen colours and the default one. */
const script = `stty -echo -icanon min 1 time 5
printf '\\033]11;?\\033\\\\'; reply=$(dd bs=64 count=1 2>/dev/null); printf 'background %s\\n' "\${reply#*;}" | tr -d '\\033\\\\\\\\'
for i in 0 1 2 3 4 5 6 7; do printf '\\033[3%smdark%s \\033[9%smbright%s\\033[0m\\n' $i $i $i $i; done
printf 'default\\n'; exec cat`

const backgroundOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)

const sumOf = (color: string) => (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)

async function choose(page: Page, theme: string): Promise<void> {
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('dialog').getByRole('button', { name: theme, exact: true }).click()
}

test('on a light page, terminals have the dark background that their programs were answered', async () => {
  const { page } = at
  await lookAt(page, 'colors')
  await screenOf(page).getByText('background rgb:0000/0000/0000').waitFor()
  await screenOf(page).getByText('default').waitFor()
  expect(sumOf(await backgroundOf(page, 'body'))).toBeGreaterThan(600)
  expect(sumOf(await backgroundOf(page, '.screen'))).toBeLessThan(100)
  const color = await screenOf(page).evaluate((element) => getComputedStyle(element).color)
  expect(sumOf(color)).toBeGreaterThan(600)
  await page.keyboard.press('Control+Shift+Escape')
  await page.keyboard.press('r')
  await page.locator('.controls').waitFor()
  await page.keyboard.press('End')
  await page.locator('.replayed .xterm-rows').getByText('default').waitFor()
  expect(sumOf(await backgroundOf(page, '.screen'))).toBeLessThan(100)
  await page.keyboard.press('w')
  const corner = () =>
    page.locator('.tile canvas').evaluate((canvas) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      context?.drawImage(canvas as HTMLCanvasElement, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
    })
  await until(async () => (await corner()).join(' ') === '21 22 26 255')
})

test('on a phone in the light theme, the text of a terminal is light on dark', async () => {
  const context = await at.browser.newContext({
    colorScheme: 'light',
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await signedIn(at.instance, context, { room: 'Needs you' })
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.locator('.rows .name').getByText('colors', { exact: true }).click()
  const line = page.locator('.line', { hasText: 'dark0' })
  await line.waitFor()
  expect(sumOf(await backgroundOf(page, '.text-screen'))).toBeLessThan(100)
  const colors = await line.locator('span').evaluateAll((parts) => parts.map((part) => getComputedStyle(part).color))
  for (const color of colors) expect(sumOf(color)).toBeGreaterThan(300)
  await context.close()
})

test.each(['Light', 'Dark', 'High contrast'])('axe finds nothing in the theme %s', async (theme) => {
  const { page } = at
  await choose(page, theme)
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await violationsIn(page)).toEqual([])
  await lookAt(page, 'colors')
  await screenOf(page).getByText('default').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.keyboard.press('Control+Shift+Escape')
  await page.keyboard.press('w')
  await page.locator('.tile canvas').waitFor()
  expect(await violationsIn(page)).toEqual([])
})

test('the browser keeps the theme, and other tabs adopt it', async () => {
  const { page } = at
  const other = await at.context.newPage()
  await other.goto(page.url())
  await other.getByTitle('Connected', { exact: true }).waitFor()
  await page.keyboard.press(',')
  await page.getByRole('dialog').getByRole('button', { name: 'High contrast' }).click()
  await until(async () => (await backgroundOf(other, 'body')) === 'rgb(0, 0, 0)')
  await page.reload()
  await page.getByTitle('Connected', { exact: true }).waitFor()
  expect(await backgroundOf(page, 'body')).toBe('rgb(0, 0, 0)')
})

test('a system that asks for more contrast gets the theme with high contrast', async () => {
  const { page } = at
  expect(sumOf(await backgroundOf(page, 'body'))).toBeGreaterThan(600)
  await page.emulateMedia({ contrast: 'more' })
  await until(async () => (await backgroundOf(page, 'body')) === 'rgb(0, 0, 0)')
})

test('the font and its size apply to the open terminal', async () => {
  const { page } = at
  await lookAt(page, 'colors')
  await screenOf(page).getByText('default').waitFor()
  const font = () => screenOf(page).evaluate((element) => getComputedStyle(element).fontFamily)
  const size = () => screenOf(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  expect(await size()).toBeGreaterThan(8)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByLabel('Font of terminals').fill('Test Mono')
  await page.getByRole('spinbutton', { name: 'Size' }).fill('8')
  await page.getByRole('spinbutton', { name: 'Size' }).press('Tab')
  await until(async () => (await size()) === 8)
  expect(await font()).toMatch(/^"Test Mono", /)
  await page.getByRole('button', { name: 'Reset' }).click()
  await until(async () => (await size()) > 8)
  expect(await font()).not.toContain('Test Mono')
})
