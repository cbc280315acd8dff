/** Find in a terminal of the page, in a real browser: all kept output, with keys and buttons, while output arrives. */

import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { lookAt, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const lines = 60_000
const program = String.raw`
for (my $n = 1; $n <= ${lines}; $n++) {
  if ($n % 20000 == 777) { print "\e[32mnee\e[1mdle\e[0m $n and a needle\n" }
  else { print "\e[3", $n % 7, "mline $n\e[0m of the output\n" }
}
$| = 1;
while (<STDIN>) { for (my $n = 1; $n <= $_; $n++) { print "new Needle $n\n" } }`

const at = eachPage({ browser: { viewport: { width: 1_280, height: 800 } }, context: withAxe, signsIn: false })
const { instance } = at

async function open(command: readonly string[] = ['perl', '-e', program], last = `line ${lines} `): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--name', 'long', '--size', '80x24', '--', ...command)
  assert.equal(code, 0, stderr)
  at.page = await signedIn(instance, at.context)
  await lookAt(at.page, 'long')
  await until(async () => (await shown(at.page)).includes(last))
}

const bar = () => at.page.getByRole('search', { name: 'Find in the output of this terminal' })
const field = () => bar().getByRole('textbox', { name: 'Find' })
const status = () => bar().getByRole('status')
const isStatus = (words: string) => until(async () => (await status().textContent()) === words)
const covering = () => at.page.locator('.covering-screen .xterm-rows')

/** The marked parts of the visible rows, by the colour of their background. */
async function markedTexts(color: string): Promise<readonly string[]> {
  return covering().evaluate(
    (rows, wanted) =>
      [...rows.querySelectorAll('span')]
        .filter((span) => getComputedStyle(span).backgroundColor === wanted)
        .map((span) => (span.textContent ?? '').replaceAll('\u00a0', ' ')),
    color,
  )
}
const current = () => markedTexts('rgb(255, 205, 80)')
const others = () => markedTexts('rgb(176, 184, 200)')
const isCurrent = (row: string) =>
  until(async () => {
    const rows = (await covering().locator('> div').allTextContents()).map((one) => one.replaceAll('\u00a0', ' '))
    return rows.some((one) => one.startsWith(row)) && (await current()).join('').includes('needle')
  })
const shots = async (name: string) => {
  const folder = process.env['AGENTPTY_SHOTS']
  if (folder !== undefined) await at.page.screenshot({ path: `${folder}/find-${name}.png` })
}

test.each(['light', 'dark'] as const)(
  'keys lead through all matches of the kept output and back, %s',
  async (scheme) => {
    await open()
    await at.page.emulateMedia({ colorScheme: scheme })
    await at.page.keyboard.press('Control+f')
    await field().fill('needle')
    await isStatus('1 of 3')
    await isCurrent('needle 40777 and a needle')
    await shots(scheme)
    expect(await violationsIn(at.page)).toEqual([])
    await at.page.keyboard.press('Enter')
    await isStatus('2 of 3')
    await isCurrent('needle 20777 and a needle')
    await at.page.keyboard.press('F3')
    await isStatus('3 of 3')
    await isCurrent('needle 777 and a needle')
    // From the beginning on to the newest again, and back.
    await at.page.keyboard.press('Enter')
    await isStatus('1 of 3')
    await at.page.keyboard.press('Shift+Enter')
    await isStatus('3 of 3')
    await at.page.keyboard.press('Shift+F3')
    await isStatus('2 of 3')
    await at.page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
    await until(async () => (await current()).length === 0 && (await others()).length === 0)
    // The terminal has the keys again.
    await at.page.keyboard.type('3')
    await at.page.keyboard.press('Enter')
    await until(async () => (await shown(at.page)).includes('new Needle 3'))
  },
)

test('options for case and regular expressions, and a wrong expression is explained', async () => {
  await open()
  await instance.cli('send', 'long', '2')
  await until(async () => (await shown(at.page)).includes('new Needle 2'))
  await at.page.getByRole('toolbar').getByRole('button', { name: 'Find' }).click()
  await field().fill('needle')
  await isStatus('1 of 5')
  await bar().getByRole('button', { name: 'Match case' }).click()
  await isStatus('1 of 3')
  await field().fill('new|needle \\d+7')
  await isStatus('No matches')
  await field().press('Alt+r')
  await isStatus('3 of 5')
  await field().fill('needle (')
  await isStatus('Not a regular expression: unterminated group')
  await shots('wrong')
  await field().fill('(a+)+$')
  await isStatus('No matches')
  await field().fill('output$')
  await isStatus('? of 10,000+')
  await at.page.setViewportSize({ width: 390, height: 740 })
  await shots('narrow')
  await at.page.emulateMedia({ contrast: 'more' })
  await at.page.setViewportSize({ width: 1_280, height: 800 })
  await shots('contrast')
})

test('all visible matches are marked, the current ones differ, and the next visible one does not scroll', async () => {
  await open()
  await at.page.keyboard.press('Control+f')
  await field().fill('line')
  await isStatus('1 of 10,000+')
  await field().fill('line 599')
  await isStatus('1 of 111')
  await until(async () => (await current()).join() === 'line 599')
  const before = await covering().locator('> div').first().textContent()
  expect((await others()).length).toBeGreaterThan(5)
  await field().press('Enter')
  await isStatus('2 of 111')
  expect(await covering().locator('> div').first().textContent()).toBe(before)
})

test('output that arrives moves nothing and is counted', async () => {
  await open()
  await at.page.keyboard.press('Control+f')
  await field().fill('needle')
  await isStatus('1 of 3')
  await instance.cli('send', 'long', '4')
  await isStatus('5 of 7')
  await isCurrent('needle 40777 and a needle')
  await field().press('Shift+Enter')
  await isStatus('4 of 7')
  await until(async () => (await current()).join() === 'Needle')
})

test('a full-screen program keeps Ctrl+F, and Ctrl+Shift+F finds in the output before it', async () => {
  await open(['sh', '-c', String.raw`echo a needle; printf '\033[?1049hmenu'; stty raw; exec cat -v`], 'menu')
  await at.page.keyboard.press('Control+f')
  await until(async () => (await shown(at.page)).includes('^F'))
  await at.page.keyboard.press('Control+Shift+f')
  await field().fill('needle')
  await isStatus('1 of 1')
  await isCurrent('a needle')
  await field().press('Escape')
  await at.page.keyboard.type('x')
  await until(async () => (await shown(at.page)).includes('x'))
})
