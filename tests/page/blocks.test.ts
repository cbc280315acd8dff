/** The commands of a shell in the live terminal, in a real browser: marks, navigation and copied output. */

import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookAt, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({
  browser: { viewport: { width: 1_280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] },
  context: withAxe,
  before: async (instance) => {
    const { code, stderr } = await instance.cli('new', '--name', 'shell', '--shell', 'bash', '--size', '80x24')
    assert.equal(code, 0, stderr)
  },
  signsIn: false,
})
const { instance } = at

const send = (line: string) => instance.cli('send', 'shell', line)
const marks = (tone: string) => at.page.locator(`.command-mark.${tone}`)
const clipboard = () => at.page.evaluate(() => navigator.clipboard.readText())

async function open(): Promise<void> {
  at.page = await signedIn(instance, at.context)
  await lookAt(at.page, 'shell')
}

test('earlier and later commands are marked at their rows by their outcome', async () => {
  await send('echo before')
  await send('(exit 3)')
  await open()
  await until(async () => (await marks('good').count()) === 1 && (await marks('failed').count()) === 1)
  await at.page.keyboard.type('echo now; read x\n')
  await marks('running').waitFor()
  await at.page.keyboard.type('\n')
  await until(async () => (await marks('good').count()) === 2)
  expect(await marks('failed').getAttribute('title')).toContain('Exit code 3')
  const rowOf = async (text: string) =>
    (await at.page.locator('.xterm-rows > div', { hasText: text }).first().boundingBox())?.y
  const isAt = async (mark: Locator, text: string) =>
    Math.abs(((await mark.boundingBox())?.y ?? 0) - ((await rowOf(text)) ?? Number.NaN)) < 4
  expect(await isAt(marks('failed'), '(exit 3)')).toBe(true)
  expect(await isAt(marks('good').last(), 'echo now')).toBe(true)
  expect(await violationsIn(at.page)).toEqual([])
  const shots = process.env['AGENTPTY_SHOTS']
  if (shots !== undefined) await at.page.screenshot({ path: `${shots}/blocks.png` })
})

test('a click on a mark copies the exact output of its command, even if it wraps or is from before', async () => {
  const long = 'wide '.repeat(40).trim()
  await send(`echo "${long}"; echo second-$((1+1))`)
  await send('echo other')
  await open()
  await until(async () => (await marks('good').count()) === 2)
  await marks('good').first().click()
  await until(async () => (await clipboard()) === `${long}\nsecond-2`)
  await at.page.locator('.xterm-helper-textarea').focus()
  await at.page.keyboard.type('echo third-$((1+2))\n')
  await until(async () => (await marks('good').count()) === 3)
  await at.page.getByRole('button', { name: 'Copy output of the last command' }).click()
  await until(async () => (await clipboard()) === 'third-3')
})

test('keys and buttons move from command to command', async () => {
  await send('echo far-away; seq 1 100')
  await send('echo middle; seq 1 100')
  await open()
  await until(async () => (await shown(at.page)).includes('100'))
  await at.page.keyboard.press('Control+Shift+ArrowUp')
  await until(async () => (await shown(at.page)).split('\n')[0]?.includes('echo middle') === true)
  await at.page.keyboard.press('Control+Shift+ArrowUp')
  await until(async () => (await shown(at.page)).split('\n')[0]?.includes('echo far-away') === true)
  await at.page.getByRole('button', { name: 'Next command' }).click()
  await until(async () => (await shown(at.page)).split('\n')[0]?.includes('echo middle') === true)
  expect((await instance.cli('read', 'shell')).stdout).not.toContain('[1;6')
})

const heading = () => at.page.getByRole('region', { name: 'Command of this output' })
/** The first row that a person sees, of the emulator or of the rows above it. */
const firstRow = () =>
  at.page.evaluate(() => {
    const covering = document.querySelector<HTMLElement>('.covering-screen')
    const screen = covering?.style.visibility === '' ? covering : document.querySelector('.screen-room')
    return screen?.querySelector('.xterm-rows > div')?.textContent?.trim() ?? ''
  })
const block = (line: string, output: string) => `\`\`\`console\n${line}\n${output}\n\`\`\`\n`
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at).join('\n')

test('above older output is its command, which leads to its prompt and is copied as Markdown', async () => {
  await open()
  await at.page.keyboard.type('seq 1 60\n')
  await until(async () => (await shown(at.page)).includes('60'))
  await at.page.keyboard.type('seq 101 160\n')
  await until(async () => (await shown(at.page)).includes('160'))
  expect(await heading().count()).toBe(0)
  await at.page.keyboard.press('Shift+PageUp')
  await heading().getByText('$ seq 101 160').waitFor()
  expect(await violationsIn(at.page)).toEqual([])
  const shots = process.env['AGENTPTY_SHOTS']
  if (shots !== undefined) await at.page.screenshot({ path: `${shots}/heading.png` })
  await heading().getByRole('button', { name: 'Copy as Markdown' }).click()
  const line = await heading().getByTitle('Go to this command').textContent()
  await until(async () => (await clipboard()) === block(line ?? '', numbers(101, 160)))
  await heading().getByTitle('Go to this command').click()
  await until(async () => (await firstRow()).endsWith('$ seq 101 160'))
  await heading().waitFor({ state: 'detached' })
  for (let page = 0; page < 2; page++) await at.page.keyboard.press('Shift+PageUp')
  await heading().getByText('$ seq 1 60').waitFor()
})

test('commands above the rows of the emulator are reached by the same keys, and have a heading', async () => {
  await open()
  for (const name of ['far-away', 'middle', 'near']) {
    await at.page.keyboard.type(`seq 1 7000; echo ${name}-$((1+1))\n`)
    await until(async () => (await shown(at.page)).includes(`${name}-2`))
  }
  for (let step = 0; step < 3; step++) {
    const before = await firstRow()
    await at.page.keyboard.press('Control+Shift+ArrowUp')
    await until(async () => (await firstRow()) !== before)
  }
  await until(async () => (await firstRow()).includes('echo far-away'))
  await at.page.keyboard.press('Shift+PageDown')
  await heading().getByText('echo far-away').waitFor()
  await at.page.keyboard.press('Control+Shift+ArrowDown')
  await until(async () => (await firstRow()).includes('echo middle'))
})

test('a selection, the last command, and a marked command are copied as Markdown', async () => {
  await open()
  await at.page.keyboard.type('echo some-words\n')
  await marks('good').waitFor()
  await at.page.keyboard.press('Control+Shift+KeyM')
  await until(async () => (await clipboard()).endsWith('$ echo some-words\nsome-words\n```\n'))
  await at.page.keyboard.type('(exit 4)\n')
  await marks('failed').click({ modifiers: ['Shift'] })
  await until(async () => (await clipboard()).endsWith('(exit 4)\n```\n\nExit code 4\n'))
  await at.page.locator('.xterm-rows > div', { hasText: /^some-words/ }).scrollIntoViewIfNeeded()
  const row = await at.page.locator('.xterm-rows > div', { hasText: /^some-words/ }).boundingBox()
  await at.page.mouse.dblclick((row?.x ?? 0) + 20, (row?.y ?? 0) + (row?.height ?? 0) / 2)
  await at.page.keyboard.press('Control+Shift+KeyM')
  await until(async () => (await clipboard()).startsWith('```\n') && (await clipboard()).includes('some'))
})

test('a reset and a cleared screen remove all marks', async () => {
  await send('echo one')
  await open()
  await marks('good').waitFor()
  await at.page.keyboard.type(`printf '\\033c'\n`)
  await until(async () => !(await shown(at.page)).includes('echo one'))
  await until(async () => (await marks('good').count()) === 0)
})
