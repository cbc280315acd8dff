/** The command palette: views, terminals and actions by a few letters, with the keyboard alone. */

import { expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({ context: withAxe })

const field = () => at.page.getByRole('combobox', { name: 'View, terminal or action' })
const chosen = () => at.page.locator('[role=option][aria-selected=true]')

test('a few letters and Enter lead to a view, and to a terminal', async () => {
  const { page, instance } = at
  for (const name of ['build', 'web-server']) await openTerminal(instance, name, 'cat')
  await page.keyboard.press('Control+k')
  await field().pressSequentially('wal')
  await chosen().getByText('Wall', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Wall' }).waitFor()
  await page.keyboard.press('Control+Shift+P')
  await field().pressSequentially('server')
  await chosen().getByText('web-server').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'web-server' }).waitFor()
})

test('arrows choose, a click runs, and Escape closes without a change', async () => {
  const { page } = at
  await page.getByRole('button', { name: 'Go to' }).click()
  const first = await chosen().textContent()
  await page.keyboard.press('ArrowDown')
  expect(await chosen().textContent()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await chosen().textContent()).toBe(first)
  expect(await violationsIn(page)).toEqual([])
  await page.keyboard.press('Escape')
  await field().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await field().fill('theme dark')
  await page.getByRole('option', { name: 'Theme: Dark' }).click()
  await until(() => page.evaluate(() => document.documentElement.dataset['theme'] === 'dark'))
})

test('the actions of the terminal that is shown are in it', async () => {
  const { page, instance } = at
  await openTerminal(instance, 'old', 'cat')
  await lookAt(page, 'old')
  await page.getByRole('button', { name: 'Rename' }).waitFor()
  await page.keyboard.press('Control+Shift+Escape')
  await page.keyboard.press('Control+k')
  await field().pressSequentially('rename')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('fresh')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'fresh' }).waitFor()
})

test('in a terminal, Ctrl+K goes to the program', async () => {
  const { page, instance } = at
  await openTerminal(instance, 'keys', 'bash', '--norc')
  await lookAt(page, 'keys')
  await page.keyboard.type('echo one two')
  await screenOf(page).getByText('one two').waitFor()
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Control+k', 'Enter'])
    await page.keyboard.press(key)
  await screenOf(page)
    .getByText(/^one\s*$/)
    .first()
    .waitFor()
  expect(await field().count()).toBe(0)
})
