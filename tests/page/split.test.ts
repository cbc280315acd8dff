/** The split view: several terminals side by side, of which one has the focus. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lookAt, openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({ context: withAxe })
const { instance } = at

const slot = (name: string) => at.page.getByRole('region', { name, exact: true })
const textOf = (name: string) => slot(name).locator('.xterm-rows')
const field = () => at.page.getByRole('combobox', { name: 'Terminal' })
const heading = (name: string) => at.page.getByRole('heading', { name, exact: true })

async function openAll(...names: readonly string[]): Promise<void> {
  for (const name of names) await openTerminal(instance, name, 'cat')
}

/** Shows a terminal beside the one with the focus, through the dialog. */
async function showBeside(name: string, side = 'Right'): Promise<void> {
  await at.page.keyboard.press('Control+Shift+Digit5')
  await at.page.getByRole('radio', { name: side }).check()
  await field().fill(name)
  await field().press('Enter')
  await heading(name).waitFor()
  await textOf(name).waitFor()
}

async function boxOf(name: string) {
  const box = await slot(name).boundingBox()
  expect(box).not.toBeNull()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}

/** The areas in percent of the view: left, top, width, height. */
async function areas(...names: readonly string[]): Promise<readonly string[]> {
  const view = (await at.page.locator('.slots').boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 }
  const boxes = await Promise.all(names.map(boxOf))
  return boxes.map(({ x, y, width, height }) =>
    [(x - view.x) / view.width, (y - view.y) / view.height, width / view.width, height / view.height]
      .map((part) => Math.round(part * 100))
      .join(' '),
  )
}

async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const { mouse } = at.page
  await mouse.move(from.x, from.y)
  await mouse.down()
  await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await mouse.move(to.x, to.y, { steps: 4 })
  await mouse.up()
}

async function shoot(name: string): Promise<void> {
  const folder = process.env['AGENTPTY_SHOTS']
  if (folder !== undefined) await at.page.screenshot({ path: join(folder, `${name}.png`) })
}

test.each(['light', 'dark'] as const)(
  'in the %s theme, a terminal is shown beside another, and keys go to the one with the focus',
  async (colorScheme) => {
    const { page } = at
    await page.emulateMedia({ colorScheme })
    await openAll('left', 'right')
    await lookAt(page, 'left')
    await showBeside('right')
    expect(await areas('left', 'right')).toEqual(['0 0 50 100', '50 0 50 100'])
    await page.keyboard.type('to the right\n')
    await textOf('right').getByText('to the right').first().waitFor()
    await slot('left').locator('.xterm-screen').click()
    await heading('left').waitFor()
    await page.keyboard.type('to the left\n')
    await textOf('left').getByText('to the left').first().waitFor()
    expect(await textOf('right').textContent()).not.toContain('to the left')
    await page.keyboard.press('Control+Shift+ArrowRight')
    await heading('right').waitFor()
    await page.keyboard.type('by a key\n')
    await textOf('right').getByText('by a key').first().waitFor()
    expect(await violationsIn(page)).toEqual([])
    await shoot(`split-${colorScheme}`)
  },
)

test('a split view is kept in this browser, and the back button leads out of it', async () => {
  const { page } = at
  await openAll('one', 'two')
  await lookAt(page, 'one')
  await showBeside('two', 'Below')
  await slot('one').locator('.xterm-screen').click()
  await heading('one').waitFor()
  await page.reload()
  await textOf('two').waitFor()
  expect(await areas('one', 'two')).toEqual(['0 0 100 50', '0 50 100 50'])
  await page.goBack()
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
})

test('a border is dragged, moved by keys, and put in the middle by a double click', async () => {
  const { page } = at
  await openAll('one', 'two')
  await lookAt(page, 'one')
  await showBeside('two')
  const border = page.getByRole('separator')
  const { x, y, width, height } = await boxOf('one')
  await drag({ x: x + width, y: y + height / 2 }, { x: x + width * 0.6, y: y + height / 2 })
  expect(await areas('one', 'two')).toEqual(['0 0 30 100', '30 0 70 100'])
  await border.press('ArrowRight')
  expect(await border.getAttribute('aria-valuenow')).toBe('32')
  await border.dblclick()
  expect(await areas('one', 'two')).toEqual(['0 0 50 100', '50 0 50 100'])
})

test('a removed terminal stays open, and its neighbour gets its area and the focus', async () => {
  const { page } = at
  await openAll('one', 'two')
  await lookAt(page, 'one')
  await showBeside('two')
  await page.getByRole('button', { name: 'Remove two from the split view' }).click()
  await heading('one').waitFor()
  await slot('two').waitFor({ state: 'detached' })
  expect(await areas('one')).toEqual(['0 0 100 100'])
  const { terminals } = await (await instance.rpc()).call('list', {})
  expect(terminals.map(({ name }) => name)).toEqual(['one', 'two'])
})

test('a closed terminal leaves the split view', async () => {
  const { page } = at
  await openAll('one', 'two')
  await lookAt(page, 'one')
  await showBeside('two')
  await slot('one').locator('.xterm-screen').click()
  await heading('one').waitFor()
  await instance.cli('close', 'two')
  await slot('two').waitFor({ state: 'detached' })
  expect(await areas('one')).toEqual(['0 0 100 100'])
})

test('terminals are dragged from the list: to a side of another, or in its place', async () => {
  const { page } = at
  await openAll('one', 'two', 'three')
  await lookAt(page, 'one')
  const listed = (name: string) => page.getByRole('navigation', { name: 'Terminals' }).getByRole('link', { name })
  const { width, height } = await boxOf('one')
  await listed('two').dragTo(slot('one'), { targetPosition: { x: width - 20, y: height / 2 } })
  await textOf('two').waitFor()
  expect(await areas('one', 'two')).toEqual(['0 0 50 100', '50 0 50 100'])
  await listed('three').dragTo(slot('one'), { targetPosition: { x: width / 4, y: height / 2 } })
  await textOf('three').waitFor()
  expect(await areas('three', 'two')).toEqual(['0 0 50 100', '50 0 50 100'])
  expect(await slot('one').count()).toBe(0)
})

test('several terminals get the same space in columns, in rows and in a grid', async () => {
  const { page } = at
  await openAll('one', 'two', 'three')
  await lookAt(page, 'one')
  await showBeside('two')
  await showBeside('three')
  for (const [name, expected] of [
    ['Columns', ['0 0 33 100', '33 0 33 100', '67 0 33 100']],
    ['Rows', ['0 0 100 33', '0 33 100 33', '0 67 100 33']],
    ['Grid', ['0 0 50 50', '50 0 50 50', '0 50 100 50']],
  ] as const) {
    await page.getByRole('button', { name: 'Split view', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
    expect(await areas('one', 'two', 'three')).toEqual(expected)
  }
  await shoot('split-grid')
})

test('in a split view, only the terminal with the focus is fitted to its space', async () => {
  const { page } = at
  const sizeOf = async (name: string) => {
    const { cols, rows } = JSON.parse((await instance.cli('screen', name, '--json')).stdout)
    return `${cols}×${rows}`
  }
  await openAll('one', 'two')
  await instance.cli('resize', 'one', '90x20')
  await lookAt(page, 'one')
  await showBeside('two')
  await page.getByRole('button', { name: /^Size / }).click()
  await page.getByRole('button', { name: 'Keep the terminal with the focus fitted' }).click()
  await until(async () => (await sizeOf('two')) !== '120×30')
  expect(await sizeOf('one')).toBe('90×20')
  await slot('one').locator('.xterm-screen').click()
  await until(async () => (await sizeOf('one')) !== '90×20')
  await until(async () => (await sizeOf('two')) === '120×30')
  expect(await page.getByText('resized elsewhere').count()).toBe(0)
  await page.getByRole('link', { name: 'Agents' }).first().click()
  await until(async () => (await sizeOf('one')) === '90×20')
})

test('keys that are pressed before a terminal is loaded are no shortcuts', async () => {
  const { page } = at
  await openAll('slow')
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/split-view-[^/]*\.js$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.locator('.rows .name').getByText('slow', { exact: true }).click()
  await heading('slow').waitFor()
  await page.locator('.screen:focus').waitFor()
  await page.keyboard.press('w')
  await page.keyboard.press('t')
  await heading('slow').waitFor()
  release()
  await textOf('slow').waitFor()
  await page.keyboard.type('typed\n')
  await textOf('slow').getByText('typed').first().waitFor()
})
