/** Recordings on disk in a real browser: listed, searched and played, even if their terminals are closed. */

import assert from 'node:assert/strict'
import { afterEach, expect, test } from 'vitest'
import { faultsOf, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'
import { downloadCast } from './download.ts'

// Registered first, so that it runs last: a recording is removed when its terminal is closed.
afterEach(async () => {
  for (const { id } of await savedRows()) await instance.cli('recordings', 'rm', id)
})

const at = eachPage({
  browser: { acceptDownloads: true, viewport: { width: 1_280, height: 800 } },
  context: withAxe,
  signsIn: false,
})
const { instance } = at

interface Row {
  readonly id: string
  readonly title: string
  readonly isEnded: boolean
}

async function savedRows(): Promise<readonly Row[]> {
  return JSON.parse((await instance.cli('recordings', '--json')).stdout).recordings
}

/** A recorded shell that reports its commands. */
async function record(name: string, ...lines: readonly string[]): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--record', '--name', name, '--shell', 'bash')
  assert.equal(code, 0, stderr)
  for (const line of lines) await instance.cli('send', name, line)
  await until(async () => (await savedRows()).some(({ title }) => title === name))
}

/** Ends its program and closes its terminal. */
async function end(name: string, line: string): Promise<void> {
  await instance.cli('send', name, line, '--wait', 'none')
  await until(async () => (await savedRows()).some(({ title, isEnded }) => title === name && isEnded))
  await instance.cli('close', name)
}

async function toRecordings(): Promise<void> {
  at.page = await signedIn(instance, at.context)
  await at.page.keyboard.press('v')
  await at.page.getByRole('heading', { name: 'Recordings' }).waitFor()
}

const row = (name: string) => at.page.locator('.row.recording', { hasText: name })
const item = (text: string) => at.page.locator('.item', { hasText: text }).first()
const playerIsThere = () => at.page.getByRole('button', { name: 'Play', exact: true }).waitFor()

test('the recording of a closed terminal is listed, plays to its end, and shows the screen of its first command', async () => {
  await record('build', 'echo first-$((40+2))', '(exit 3)', 'clear; echo last-$((40+3))')
  await end('build', 'exit 4')
  await toRecordings()
  await row('build').getByText('exit 4').waitFor()
  await at.page.keyboard.press('j')
  await at.page.keyboard.press('Enter')
  await playerIsThere()
  expect(await at.page.getByRole('heading', { level: 1 }).textContent()).toBe('build')
  await item('$ echo first').getByText('(exit 0)').waitFor()
  await item('(exit 3)').waitFor()
  await item('ended: exit code 4').waitFor()
  for (let presses = 0; presses < 6; presses++) await at.page.keyboard.press('+')
  await at.page.keyboard.press(' ')
  await until(async () => (await shown(at.page)).includes('last-43'))
  await playerIsThere()
  expect(await shown(at.page)).not.toContain('first-42')
  await item('$ echo first').click()
  await until(async () => {
    const text = await shown(at.page)
    return text.includes('$ echo first') && !text.includes('last-43')
  })
  await at.page.keyboard.press('n')
  await until(async () => (await shown(at.page)).includes('first-42'))
  expect(await at.page.getByRole('link', { name: 'Live' }).count()).toBe(0)
  await at.page.keyboard.press('v')
  await row('build').waitFor()
})

test('the download is the recording', async () => {
  await record('saved', 'echo kept-$((5*5)); false')
  await end('saved', 'exit')
  await toRecordings()
  await row('saved').locator('a').first().click()
  await playerIsThere()
  const cast = await downloadCast(at.page)
  expect(cast.events.map(({ data }) => data).join('')).toContain('kept-25')
  expect(cast.markers.map(({ label }) => label).slice(0, 2)).toEqual(['$ echo kept-$((5*5)); false', 'exit code 1'])
})

test('recordings are found by name and by command, and that of an open terminal links to it', async () => {
  await record('gone', 'true')
  await end('gone', 'exit')
  await record('open', 'true')
  await until(async () => (await savedRows()).length === 2)
  await toRecordings()
  await row('gone').waitFor()
  await at.page.keyboard.press('/')
  await at.page.keyboard.type('OPEN bash')
  await row('gone').waitFor({ state: 'detached' })
  await at.page.getByText('1 of 2').waitFor()
  await at.page.keyboard.type('x')
  await at.page.getByRole('button', { name: 'Show all' }).click()
  await row('gone').waitFor()
  expect(await row('gone').getByRole('link').count()).toBe(1)
  await at.page.getByRole('link', { name: 'open: open its terminal' }).click()
  await at.page.getByRole('button', { name: 'Replay' }).waitFor()
  expect(at.page.url()).toMatch(/#\/terminal\/term-\d+$/)
})

test('a read-only link for one terminal lists only its recording', async () => {
  await record('other', 'true')
  await end('other', 'exit')
  await record('mine', 'echo seen-$((6*6))')
  const [other, mine] = await savedRows()
  at.page = await at.context.newPage()
  faultsOf.set(at.page, [])
  const { stdout } = await instance.cli('open', '--print', '--read-only', '--terminal', 'mine')
  await at.page.goto(stdout.trim())
  await at.page.locator('.rows a').first().waitFor()
  await at.page.keyboard.press('v')
  await row('mine').waitFor()
  expect(await at.page.locator('.row.recording').count()).toBe(1)
  const path = at.page.url().split('#')[0]
  await at.page.goto(`${path}#/recordings/${other?.id}`)
  await at.page.getByText(`No recording "${other?.id}".`).waitFor()
  await at.page.goto(`${path}#/recordings/${mine?.id}`)
  await playerIsThere()
  await at.page.keyboard.press('End')
  await until(async () => (await shown(at.page)).includes('seen-36'))
})

test('axe finds no fault in the list and the player, in light, in dark, and on a phone', async () => {
  await toRecordings()
  await at.page.getByText('Nothing is recorded yet.').waitFor()
  await seen('recordings-none')
  await record('tests', 'echo some-thing', 'false')
  await end('tests', 'exit 1')
  await record('a-terminal-with-a-rather-long-name', 'printf "\\033[32mgreen\\033[0m\\n"')
  await row('a-terminal').getByText('still open').waitFor()
  await row('tests').waitFor()
  await seen('recordings')
  await row('tests').locator('a').first().click()
  await playerIsThere()
  await at.page.keyboard.press('End')
  await item('$ false').waitFor()
  await seen('recording')
})

async function seen(what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme })
    for (const width of [1_280, 390]) {
      await at.page.setViewportSize({ width, height: 800 })
      expect(await violationsIn(at.page), `${what}, ${colorScheme}, ${width} px`).toEqual([])
      const shots = process.env['AGENTPTY_SHOTS']
      if (shots !== undefined) await at.page.screenshot({ path: `${shots}/${what}-${colorScheme}-${width}.png` })
    }
  }
  await at.page.setViewportSize({ width: 1_280, height: 800 })
}
