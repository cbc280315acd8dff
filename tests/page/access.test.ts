/** The page for people with low vision or without a mouse. */

import { expect, test } from 'vitest'
import { openTerminal, screenOf } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({
  context: withAxe,
  before: async (instance) => {
    await openTerminal(instance, 'asks', 'bash', '-c', "read -rp 'Go on? [y/N] ' x; echo got-$x; exec cat")
    await openTerminal(instance, 'secret', 'bash', '-c', "read -rsp 'PIN: ' x; exec cat")
    await openTerminal(instance, 'plain', 'cat')
  },
})
const { instance } = at

const rooms: readonly (readonly [string, () => Promise<void>])[] = [
  ['needs', () => at.page.getByRole('article', { name: 'Yes or no: asks' }).waitFor()],
  ['agents', () => at.page.locator('.row .state.asks').first().waitFor()],
  ['terminal', () => at.page.getByText('You have taken over. Agents cannot type.').waitFor()],
  ['wall', () => at.page.locator('.tile canvas').first().waitFor()],
  ['recordings', () => at.page.getByText('Nothing is recorded yet.').waitFor()],
  ['devices', () => at.page.getByText('this browser').waitFor()],
]

test('axe finds no fault in any view, in light, in dark, and in a narrow window', async () => {
  await at.page.locator('.row .state.asks').nth(1).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme })
    for (const width of [1_360, 320]) {
      await at.page.setViewportSize({ width, height: 800 })
      for (const [room, isShown] of rooms) {
        if (room !== 'terminal') await at.page.goto(`${at.page.url().split('#')[0]}#/${room}`)
        else {
          await at.page.goto(`${at.page.url().split('#')[0]}#/agents`)
          await at.page.locator('.rows .name').getByText('plain', { exact: true }).click()
          await screenOf(at.page).waitFor()
          await at.page.getByRole('button', { name: 'Take over' }).click()
        }
        await isShown()
        expect(await violationsIn(at.page), `${room}, ${colorScheme}, ${width} px`).toEqual([])
        if (room !== 'terminal') continue
        await at.page.keyboard.press('Control+Shift+G')
        await at.page.getByText('You have taken over. Agents cannot type.').waitFor({ state: 'detached' })
      }
    }
  }
})

test('axe finds no fault in the dialogs of a terminal: its screen as text, and its size', async () => {
  await at.page.locator('.rows .name').getByText('plain', { exact: true }).click()
  await screenOf(at.page).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme })
    await at.page.locator('.xterm-helper-textarea').focus()
    await at.page.keyboard.press('Control+Shift+L')
    await at.page.getByRole('dialog').waitFor()
    expect(await violationsIn(at.page), `read screen, ${colorScheme}`).toEqual([])
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('dialog').waitFor({ state: 'detached' })
    await at.page.getByRole('button', { name: /120×30/ }).click()
    await at.page.getByRole('dialog').waitFor()
    expect(await violationsIn(at.page), `size, ${colorScheme}`).toEqual([])
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

test('everything works with keys alone: answering, typing, taking over and giving back', async () => {
  const press = (key: string) => at.page.keyboard.press(key)
  await press('n')
  const asks = at.page.getByRole('article', { name: 'Yes or no: asks' })
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
  await at.page.getByRole('heading', { name: 'Agents' }).waitFor()
  await until(async () => {
    await press('j')
    return (await at.page.evaluate(() => document.activeElement?.textContent ?? '')).startsWith('plain')
  })
  await press('Enter')
  await at.page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' })
  await until(() =>
    at.page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea') === true),
  )
  await at.page.keyboard.type('by keys\n')
  await screenOf(at.page).getByText('by keys').first().waitFor()
  await press('Control+Shift+G')
  await at.page.getByText('You have taken over. Agents cannot type.').waitFor()
  await press('Control+Shift+G')
  await at.page.getByText('You have taken over. Agents cannot type.').waitFor({ state: 'detached' })
  await press('Control+Shift+Escape')
  await press('d')
  await at.page.getByRole('heading', { name: 'Devices' }).waitFor()
})
