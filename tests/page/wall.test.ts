/** The wall in a real browser: every terminal live, drawn by a worker over its own connection. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../harness/browser.ts'
import { pageInstance } from '../harness/browser-page.ts'
import { until } from '../harness/instance.ts'

const instance = pageInstance()
let browser: Browser
let page: Page
let faults: string[]

beforeAll(async () => {
  await instance.status()
  browser = await launchBrowser()
  page = await browser.newPage({ viewport: { width: 1200, height: 800 }, colorScheme: 'dark' })
  faults = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('WebSocket')) faults.push(message.text())
  })
  await page.goto((await instance.cli('open', '--print')).stdout.trim())
})

afterAll(async () => {
  await browser.close()
})

const tile = (name: string) => page.locator('.tile', { hasText: name }).locator('canvas')

/** The share of a tile’s pixels that nearly have this colour. */
async function share(name: string, color: readonly [number, number, number]): Promise<number> {
  const png = (await tile(name).screenshot()).toString('base64')
  return page.evaluate(
    async ([data, [red, green, blue]]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray()
      let found = 0
      for (let at = 0; at < pixels.length; at += 4) {
        const off = [red, green, blue].map((part, index) => Math.abs(part - (pixels[at + index] ?? 0)))
        if (Math.max(...off) < 24) found++
      }
      return found / (pixels.length / 4)
    },
    [png, color] as const,
  )
}

const orange = [255, 128, 0] as const
const teal = [0, 200, 180] as const
const paint = ([red, green, blue]: readonly number[]) =>
  `printf "\\033[H\\033[48;2;${red};${green};${blue}m"; i=0; while [ $i -lt 12 ]; do printf "%80s\\n" ""; i=$((i+1)); done`

test('each terminal is drawn, and redrawn when it changes', async () => {
  const script = `${paint(orange)}; read x; ${paint(teal)}; cat`
  await instance.cli('new', '--name', 'painted', '--size', '80x24', 'sh', '-c', script)
  await instance.cli('new', '--name', 'large', '--size', '160x50', 'sh', '-c', `${paint(orange)}; cat`)
  await page.keyboard.press('w')
  await until(async () => (await share('painted', orange)) > 0.4)
  // On request a larger terminal is shown as a whole: 80 of its 160 columns are painted in 12 of its 50 rows.
  await until(async () => (await share('large', orange)) > 0.4)
  await page.getByLabel('Whole screens').check()
  await until(async () => (await share('large', orange)) > 0.05 && (await share('large', orange)) < 0.3)
  await instance.cli('send', 'painted', 'go', '--wait', 'none')
  await until(async () => (await share('painted', teal)) > 0.4)
  expect(faults).toEqual([])
})

test('tiles show the last rows, whose letters can be read, and the whole screen on request', async () => {
  const script = `${paint(teal)}; i=0; while [ $i -lt 40 ]; do printf "\\033[0m\\n"; i=$((i+1)); done; ${'printf "\\033[48;2;255;128;0m%30s\\n" ""; '.repeat(4)} printf "\\033[0m"; cat`
  await instance.cli('new', '--name', 'long', '--size', '120x60', 'sh', '-c', script)
  await until(async () => (await tile('long').count()) === 1 && (await share('long', teal)) > 0.05)
  expect(await share('long', orange)).toBeLessThan(0.03)
  await page.getByLabel('Whole screens').uncheck()
  // Four rows of thirty columns fill much of a tile of readable letters.
  await until(async () => (await share('long', orange)) > 0.04 && (await share('long', teal)) === 0)
  await instance.cli('close', 'long')
  await page.locator('.tile', { hasText: 'long' }).waitFor({ state: 'detached' })
})

test('the wall shows one state alone, and the browser keeps its choices', async () => {
  await page.getByLabel('State').selectOption('failed')
  await page.getByText('No terminal has this state.').waitFor()
  await page.getByLabel('State').selectOption('')
  await tile('painted').waitFor()
  await page.getByLabel('Group by agent').check()
  await page.reload()
  await tile('painted').waitFor()
  expect(await page.getByLabel('Group by agent').isChecked()).toBe(true)
  await page.getByLabel('Group by agent').uncheck()
})

test('the wall is redrawn after leaving and returning', async () => {
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.keyboard.press('w')
  await until(async () => (await tile('painted').count()) === 1 && (await share('painted', teal)) > 0.4)
  expect(faults).toEqual([])
})

test('after a kill of the daemon it continues automatically', async () => {
  await instance.killDaemon()
  await instance.cli('send', 'large', '$(true)', '--wait', 'none')
  await instance.cli('new', '--name', 'later', '--size', '80x24', 'sh', '-c', `${paint(teal)}; cat`)
  await until(async () => (await tile('later').count()) === 1 && (await share('later', teal)) > 0.4)
})

test('a terminal opened next to the wall accepts keys, and the others continue', async () => {
  await instance.cli('new', '--name', 'echo', '--size', '80x24', 'cat')
  await page.locator('.tile', { hasText: 'echo' }).locator('a').click()
  await page.locator('.focus .xterm').click()
  await page.keyboard.type('typed here')
  await page.keyboard.press('Enter')
  await until(async () => (await instance.cli('read', 'echo')).stdout.includes('typed here\ntyped here'))
  await page.getByRole('button', { name: 'Close', exact: true }).first().click()
  await until(async () => (await page.locator('.focus').count()) === 0)
  expect(await page.locator('.tile').count()).toBe(4)
})

test('terminals that need a person come first', async () => {
  for (const name of ['first', 'second']) await instance.cli('new', '--name', name, 'cat')
  await instance.cli('new', '--name', 'asking', 'bash', '-c', 'read -rp "Delete all of it? [y/N] " x; exec cat')
  await page.keyboard.press('w')
  await page.locator('.tiles .tile').first().filter({ hasText: 'asking' }).waitFor()
  await instance.cli('send', 'asking', 'n', '--wait', 'none')
  await page.locator('.tiles .tile').last().filter({ hasText: 'asking' }).waitFor()
})
