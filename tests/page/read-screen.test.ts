/** The page for people who do not see it: the screen as text, and announcements of turns. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lookAt, openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage()
const { instance } = at

const text = () => at.page.getByRole('document', { name: 'Screen text' })
const cursor = () => at.page.locator('.read-cursor')

/** All announcements, in order. */
async function hear(): Promise<() => Promise<readonly string[]>> {
  await at.page.evaluate(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    const element = document.querySelector('.unseen[role=status]')
    new MutationObserver(() => heard.push(element?.textContent ?? '')).observe(element as Element, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  })
  return () => at.page.evaluate(() => Reflect.get(globalThis, 'heard') as string[])
}

test('a key inside the terminal opens its screen as focused text, and Escape returns', async () => {
  await openTerminal(instance, 'read', 'bash', '--norc')
  await instance.cli('send', 'read', "PS1='$ '; clear; printf 'one\\ntwo\\n'")
  await lookAt(at.page, 'read')
  await at.page.keyboard.press('Control+Shift+L')
  await text().getByText('two').waitFor()
  expect(await text().evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await cursor().textContent()).toBe('The cursor is in line 3, column 3: $')
  await at.page.keyboard.press('Escape')
  await text().waitFor({ state: 'detached' })
  await at.page.keyboard.type('echo typed-$((1+1))\n')
  await at.page.locator('.xterm-rows').getByText('typed-2', { exact: true }).waitFor()
})

test('a key outside opens it, too, with the scrollback on request', async () => {
  await openTerminal(instance, 'long', 'bash', '--norc')
  await instance.cli('send', 'long', 'seq -f "row %g." 100')
  await lookAt(at.page, 'long')
  await at.page.keyboard.press('Control+Shift+Escape')
  await at.page.keyboard.press('s')
  await until(async () => (await text().textContent())?.includes('row 100.') === true)
  expect(await text().textContent()).not.toContain('row 3.')
  await at.page.getByLabel('Include the scrollback').check()
  await until(async () => (await text().textContent())?.includes('row 3.') === true)
})

test('the text is updated on request, and at the start of the person’s turn', async () => {
  await openTerminal(instance, 'works', 'bash', '--norc')
  await lookAt(at.page, 'works')
  const go = join(instance.user, 'go')
  await at.page.keyboard.type(`until [ -e ${go} ]; do :; done; echo finished-$((1+1))\n`)
  await at.page.locator('.bar').getByText('working').waitFor()
  await at.page.getByRole('button', { name: 'Read screen' }).click()
  await until(async () => (await text().textContent())?.includes('until') === true)
  writeFileSync(go, '')
  await until(async () => (await text().textContent())?.includes('finished-2') === true)
  await instance.cli('send', 'works', 'echo later-$((2+2))')
  await until(async () => {
    await at.page.getByRole('button', { name: 'Refresh' }).click()
    return (await text().textContent())?.includes('later-4') === true
  })
})

test('turns and ends are announced, and output is not', async () => {
  await openTerminal(instance, 'build', 'bash', '--norc')
  await openTerminal(instance, 'other', 'bash', '-c', "read -rp 'Go on? [y/N] ' x; exit 3")
  const heard = await hear()
  await lookAt(at.page, 'build')
  await until(async () => (await heard()).some((words) => words.includes('other asks yes or no: Go on? [y/N]')))
  await at.page.keyboard.type('for i in $(seq 40); do echo noise-$i; sleep 0.05; done\n')
  await until(async () => (await heard()).some((words) => words.includes('build: your turn')))
  await instance.cli('send', 'other', 'y')
  await until(async () => (await heard()).some((words) => words.includes('other: ended (exit 3)')))
  await at.page.keyboard.type('exit 2\n')
  await until(async () => (await heard()).some((words) => words.includes('build: ended (exit 2)')))
  expect((await heard()).join()).not.toContain('noise')
})
