/** Recordings on the disk in a real browser: listed, found, and played, also when their terminals are gone. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readCast } from '@agentpty/protocol/recording'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeAll, faultsOf, launchBrowser, pageInstance, shown, signedIn } from '../harness/browser-page.ts'
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
  context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1_280, height: 800 } })
  await withAxe(context)
})

afterEach(async () => {
  expect(faultsOf.get(page)).toEqual([])
  await context.close()
  await closeAll(instance)
  for (const { id } of await kept()) await instance.cli('recordings', 'rm', id)
})

afterAll(async () => {
  await browser.close()
  assert.deepEqual(await instance.stop(), [])
})

interface Row {
  readonly id: string
  readonly title: string
  readonly isEnded: boolean
}

async function kept(): Promise<readonly Row[]> {
  return JSON.parse((await instance.cli('recordings', '--json')).stdout).recordings
}

/** A shell that tells its commands, and is recorded. */
async function record(name: string, ...lines: readonly string[]): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--record', '--name', name, '--shell', 'bash')
  assert.equal(code, 0, stderr)
  for (const line of lines) await instance.cli('send', name, line)
}

/** Its program ends, and its terminal goes. */
async function end(name: string, line: string): Promise<void> {
  await instance.cli('send', name, line, '--wait', 'none')
  await until(async () => (await kept()).some(({ title, isEnded }) => title === name && isEnded))
  await instance.cli('close', name)
}

async function toRecordings(): Promise<void> {
  page = await signedIn(instance, context)
  await page.keyboard.press('v')
  await page.getByRole('heading', { name: 'Recordings' }).waitFor()
}

const row = (name: string) => page.locator('.row.recording', { hasText: name })
const item = (text: string) => page.locator('.item', { hasText: text }).first()
const playerIsThere = () => page.getByRole('button', { name: 'Play', exact: true }).waitFor()

test('the recording of a terminal that is gone is listed, plays to its end, and shows the screen of its first command', async () => {
  await record('build', 'echo first-$((40+2))', '(exit 3)', 'clear; echo last-$((40+3))')
  await end('build', 'exit 4')
  await toRecordings()
  await row('build').getByText('exit 4').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await playerIsThere()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('build')
  await item('$ echo first').getByText('(exit 0)').waitFor()
  await item('(exit 3)').waitFor()
  await item('ended: exit code 4').waitFor()
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press('+')
  await page.keyboard.press(' ')
  await until(async () => (await shown(page)).includes('last-43'))
  await playerIsThere()
  expect(await shown(page)).not.toContain('first-42')
  await item('$ echo first').click()
  await until(async () => {
    const text = await shown(page)
    return text.includes('$ echo first') && !text.includes('last-43')
  })
  await page.keyboard.press('n')
  await until(async () => (await shown(page)).includes('first-42'))
  expect(await page.getByRole('link', { name: 'Live' }).count()).toBe(0)
  await page.keyboard.press('v')
  await row('build').waitFor()
})

test('what is downloaded is the recording', async () => {
  await record('saved', 'echo kept-$((5*5)); false')
  await end('saved', 'exit')
  await toRecordings()
  await row('saved').locator('a').first().click()
  await playerIsThere()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download recording (.cast)' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^term-\d+\.cast$/)
  const cast = readCast(readFileSync(await download.path(), 'utf8'), 'it')
  expect(cast.events.map(({ data }) => data).join('')).toContain('kept-25')
  expect(cast.markers.map(({ label }) => label).slice(0, 2)).toEqual(['$ echo kept-$((5*5)); false', 'exit code 1'])
})

test('they are found by name and by command, and one of a terminal that is open leads to it', async () => {
  await record('gone', 'true')
  await end('gone', 'exit')
  await record('open', 'true')
  await until(async () => (await kept()).length === 2)
  await toRecordings()
  await row('gone').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('OPEN bash')
  await row('gone').waitFor({ state: 'detached' })
  await page.getByText('1 of 2').waitFor()
  await page.keyboard.type('x')
  await page.getByRole('button', { name: 'Show all' }).click()
  await row('gone').waitFor()
  expect(await row('gone').getByRole('link').count()).toBe(1)
  await page.getByRole('link', { name: 'open: open its terminal' }).click()
  await page.getByRole('button', { name: 'Replay' }).waitFor()
  expect(page.url()).toMatch(/#\/terminal\/term-\d+$/)
})

test('a read-only link for one terminal lists its recording and no others', async () => {
  await record('other', 'true')
  await end('other', 'exit')
  await record('mine', 'echo seen-$((6*6))')
  const [other, mine] = await kept()
  page = await context.newPage()
  faultsOf.set(page, [])
  const { stdout } = await instance.cli('open', '--print', '--read-only', '--terminal', 'mine')
  await page.goto(stdout.trim())
  await page.locator('.rows a').first().waitFor()
  await page.keyboard.press('v')
  await row('mine').waitFor()
  expect(await page.locator('.row.recording').count()).toBe(1)
  const path = page.url().split('#')[0]
  await page.goto(`${path}#/recordings/${other?.id}`)
  await page.getByText(`No recording "${other?.id}".`).waitFor()
  await page.goto(`${path}#/recordings/${mine?.id}`)
  await playerIsThere()
  await page.keyboard.press('End')
  await until(async () => (await shown(page)).includes('seen-36'))
})

test('axe finds nothing wrong in list and player, in light, in dark, and on a phone', async () => {
  await toRecordings()
  await page.getByText('Nothing is recorded yet.').waitFor()
  await seen('recordings-none')
  await record('tests', 'echo some-thing', 'false')
  await end('tests', 'exit 1')
  await record('a-terminal-with-a-rather-long-name', 'printf "\\033[32mgreen\\033[0m\\n"')
  await row('a-terminal').getByText('still open').waitFor()
  await row('tests').waitFor()
  await seen('recordings')
  await row('tests').locator('a').first().click()
  await playerIsThere()
  await page.keyboard.press('End')
  await item('$ false').waitFor()
  await seen('recording')
})

async function seen(what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await violationsIn(page), `${what}, ${colorScheme}, ${width} px`).toEqual([])
      const shots = process.env['AGENTPTY_SHOTS']
      if (shots !== undefined) await page.screenshot({ path: `${shots}/${what}-${colorScheme}-${width}.png` })
    }
  }
  await page.setViewportSize({ width: 1_280, height: 800 })
}
