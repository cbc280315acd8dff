/** Scrolling through all kept output of a terminal, in a real browser: wheel, keys, the scroll bar, and output that comes meanwhile. */

import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { lookAt, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const lines = 60_000
const program = String.raw`
for (my $n = 1; $n <= ${lines}; $n++) { print "\e[3", $n % 7, "mline $n\e[0m of the output\n" }
$| = 1;
while (<STDIN>) { for (my $n = 1; $n <= $_; $n++) { print "new $n\n" } }`

const at = eachPage({
  browser: { viewport: { width: 1_280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] },
  context: withAxe,
  signsIn: false,
})
const { instance } = at

async function open(command: readonly string[] = ['perl', '-e', program]): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--name', 'long', '--size', '80x24', '--', ...command)
  assert.equal(code, 0, stderr)
  at.page = await signedIn(instance, at.context)
  await lookAt(at.page, 'long')
}

const openNumbers = async () => {
  await open()
  await until(async () => (await shown(at.page)).includes(`line ${lines} `))
}

/** The rows of older output, which cover those of the emulator; empty while they do not. */
const older = async () => {
  const covering = at.page.locator('.covering-screen .xterm-rows')
  if (!(await covering.isVisible())) return []
  const rows = await covering.locator('> div').allTextContents()
  return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
}
const numberOf = (row: string | undefined) => Number(/^line (\d+) of the output$/.exec(row ?? '')?.[1] ?? Number.NaN)
const isConsecutive = (rows: readonly string[]) =>
  rows.every((row, index) => index === 0 || numberOf(row) === numberOf(rows[index - 1]) + 1)
const wheel = async (rows: number) => {
  await at.page.mouse.move(700, 300)
  await at.page.mouse.wheel(0, rows * 17)
}
const newest = () => at.page.locator('.newest-output')
const shots = async (name: string) => {
  const folder = process.env['AGENTPTY_SHOTS']
  if (folder !== undefined) await at.page.screenshot({ path: `${folder}/scroll-back-${name}.png` })
}

test('the wheel leads from the newest rows above all those that the emulator has, row by row', async () => {
  await openNumbers()
  let last = lines
  await until(async () => {
    await wheel(-60)
    const rows = await older()
    if (rows.length === 0) return false
    expect(isConsecutive(rows), rows.join('\n')).toBe(true)
    last = numberOf(rows[0])
    return last < lines - 1_500
  })
  await shots('wheel')
  expect(await violationsIn(at.page)).toEqual([])
  // And back, down to the newest row.
  await until(async () => {
    await wheel(60)
    const rows = await older()
    if (rows.length > 0) expect(isConsecutive(rows), rows.join('\n')).toBe(true)
    return rows.length === 0 && (await shown(at.page)).includes(`line ${lines} `)
  })
  await newest().waitFor({ state: 'detached' })
})

test('keys lead to the beginning, page by page, and back to the newest output', async () => {
  await openNumbers()
  await at.page.keyboard.press('Shift+Home')
  await until(async () => (await older())[1] === 'line 1 of the output')
  expect((await older())[0]).toContain('This is the beginning.')
  await shots('beginning')
  await at.page.keyboard.press('Shift+PageDown')
  await until(async () => numberOf((await older())[0]) === 21)
  await at.page.keyboard.press('Shift+PageUp')
  await until(async () => (await older())[1] === 'line 1 of the output')
  await at.page.keyboard.press('Shift+End')
  await until(async () => (await older()).length === 0)
  expect(await shown(at.page)).toContain(`line ${lines} `)
})

test('the scroll bar shows the place in all output, and dragging it leads anywhere', async () => {
  await openNumbers()
  const track = at.page.getByRole('scrollbar')
  await until(async () => (await track.getAttribute('aria-valuenow')) === '100')
  const box = (await track.boundingBox()) ?? assert.fail('no scroll bar')
  await at.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await until(async () => Math.abs(numberOf((await older())[0]) - lines / 2) < lines / 20)
  await until(async () => Math.abs(Number(await track.getAttribute('aria-valuenow')) - 50) < 5)
  await shots('middle')
  const background = () =>
    at.page
      .locator('.covering-screen .xterm-scrollable-element')
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  const usual = await background()
  await at.page.emulateMedia({ contrast: 'more' })
  await until(async () => (await background()) !== usual)
  await shots('high-contrast')
  await at.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await at.page.mouse.down()
  await at.page.mouse.move(box.x + box.width / 2, box.y)
  await at.page.mouse.up()
  await until(async () => (await older())[1] === 'line 1 of the output')
})

test('new output moves nothing that is read, is counted, and a button or a key leads to it', async () => {
  await openNumbers()
  await at.page.keyboard.press('Shift+Home')
  await until(async () => (await older())[1] === 'line 1 of the output')
  await instance.cli('send', 'long', '300')
  await until(async () => (await newest().textContent())?.includes('new lines') === true)
  await until(async () => Number(/\((\d+) new/.exec((await newest().textContent()) ?? '')?.[1]) >= 300)
  expect((await older())[1]).toBe('line 1 of the output')
  await shots('new-lines')
  await newest().click()
  await until(async () => (await shown(at.page)).includes('new 300'))
  await at.page.keyboard.press('Shift+Home')
  await until(async () => (await older())[1] === 'line 1 of the output')
  await at.page.keyboard.type('1')
  await until(async () => (await older()).length === 0)
})

test('older rows are selected by a drag that scrolls, and copied as a whole', async () => {
  await openNumbers()
  await at.page.keyboard.press('Shift+Home')
  await until(async () => (await older())[1] === 'line 1 of the output')
  await at.page.keyboard.press('Shift+PageDown')
  await until(async () => numberOf((await older())[0]) === 21)
  const cells = (await at.page.locator('.covering-screen .xterm-screen').boundingBox()) ?? assert.fail('no rows')
  const at80x24 = (row: number, col: number) =>
    [cells.x + (col / 80) * cells.width, cells.y + ((row + 0.5) / 24) * cells.height] as const
  const { mouse, keyboard } = at.page
  await mouse.move(...at80x24(20, 5))
  await mouse.down()
  await mouse.move(...at80x24(10, 5), { steps: 3 })
  await mouse.move(cells.x + 100, cells.y - 30, { steps: 3 })
  await until(async () => (await older())[1] === 'line 1 of the output')
  await mouse.move(...at80x24(2, 5), { steps: 2 })
  await shots('selection')
  await mouse.up()
  const expected = Array.from({ length: 40 }, (_, index) => `line ${index + 2} of the output`)
  const wanted = [...expected.slice(0, -1), 'line ', ''].join('\n').slice(5, -1)
  await keyboard.press('Control+Shift+C')
  const clipboard = () => at.page.evaluate(() => navigator.clipboard.readText())
  await until(async () => (await clipboard()) !== '')
  expect(await clipboard()).toBe(wanted.trimEnd())
  // A click selects nothing, and the key goes to the program.
  await mouse.click(...at80x24(5, 5))
  await keyboard.press('Control+Shift+M')
  await at.page.getByText('Nothing is selected').waitFor()
})

test('output that is gone is stated', async () => {
  await open(['sh', '-c', 'seq -f "line %.0f of the output" 1 500000; exec cat'])
  await until(async () => (await shown(at.page)).includes('line 500000 '))
  await at.page.keyboard.press('Shift+Home')
  await until(async () => (await older())[0]?.includes('Earlier output was not kept.') === true)
  await shots('not-kept')
})

test('the wheel goes to a full-screen program, which has no scroll bar', async () => {
  await open([
    'sh',
    '-c',
    String.raw`seq 1 20000; printf '\033[?1049h\033[?1000h\033[?1006hmenu'; stty raw; exec cat -v`,
  ])
  await until(async () => (await shown(at.page)).includes('menu'))
  await at.page.getByRole('scrollbar').waitFor({ state: 'detached' })
  await wheel(-3)
  await until(async () => (await shown(at.page)).includes('[<64'))
  expect(await older()).toEqual([])
})
