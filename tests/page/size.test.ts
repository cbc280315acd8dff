/** The size of a program's screen in the page: watching never changes it, and a resize names the other viewers. */

import { expect, test } from 'vitest'
import { lookAt, openTerminal, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage({ before: (instance) => openTerminal(instance, 'sized', 'cat') })
const { instance } = at

const control = () => at.page.getByRole('button', { name: /^Size / })
const choose = async (name: string) => {
  await control().click()
  await at.page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

async function sizeNow(name = 'sized'): Promise<string> {
  const { rows, cols } = JSON.parse((await instance.cli('screen', name, '--json')).stdout)
  return `${cols}×${rows}`
}

const becomes = (size: string) => until(async () => (await sizeNow()) === size)

test('the control shows the size and the other viewers, and what a change means for them', async () => {
  await lookAt(at.page, 'sized')
  await at.page.getByRole('button', { name: 'Size 120×30', exact: true }).waitFor()
  await control().click()
  await at.page.getByText('You are the only viewer.').waitFor()
  await at.page.getByRole('button', { name: 'Cancel' }).click()
  const other = await signedIn(instance, await at.browser.newContext({ viewport: { width: 700, height: 500 } }))
  await lookAt(other, 'sized')
  await at.page.getByRole('button', { name: 'Size 120×30, 1 other viewer' }).waitFor()
  expect(await sizeNow()).toBe('120×30')
  await control().click()
  await at.page.getByText('1 other viewer: a new size applies to all viewers.').waitFor()
  await at.page.getByRole('button', { name: '80×24' }).click()
  await other.getByRole('button', { name: 'Size 80×24, 1 other viewer' }).waitFor()
  expect(await sizeNow()).toBe('80×24')
  await other.context().close()
  await at.page.getByRole('button', { name: 'Size 80×24', exact: true }).waitFor()
})

test('the screen is fitted to the window while a person watches, and restored afterwards', async () => {
  await lookAt(at.page, 'sized')
  await choose('Keep fitted while I watch')
  await until(async () => (await sizeNow()) !== '120×30')
  const first = await sizeNow()
  await at.page.setViewportSize({ width: 900, height: 500 })
  await until(async () => ![first, '120×30'].includes(await sizeNow()))
  await at.page.getByRole('button', { name: /^Size .*, fitted to this page$/ }).waitFor()
  await at.page.getByRole('link', { name: 'Agents' }).first().click()
  await becomes('120×30')
})

test('the fit belongs to one terminal: the next one keeps its size and has its own dialogs', async () => {
  await openTerminal(instance, 'beside', 'cat')
  const { terminals } = await (await instance.rpc()).call('list', {})
  const next = terminals.find(({ name }) => name === 'beside')?.terminalId ?? ''
  await lookAt(at.page, 'sized')
  await choose('Keep fitted while I watch')
  await until(async () => (await sizeNow()) !== '120×30')
  await at.page.getByRole('button', { name: 'Rename' }).click()
  await at.page.getByRole('dialog').waitFor()
  await at.page.evaluate((id) => {
    location.hash = `#/terminal/${id}`
  }, next)
  await at.page.getByRole('heading', { name: 'beside' }).waitFor()
  await becomes('120×30')
  await at.page.getByRole('button', { name: 'Size 120×30', exact: true }).waitFor()
  expect(await at.page.getByRole('dialog').count()).toBe(0)
  expect(await sizeNow('beside')).toBe('120×30')
  const sizes = await instance.cli('timeline', 'beside', '--json')
  expect(sizes.stdout).not.toMatch(/"kind":\s*"size"/)
})

test('the size is restored when the page is hidden, and on request', async () => {
  await lookAt(at.page, 'sized')
  await choose('Keep fitted while I watch')
  await until(async () => (await sizeNow()) !== '120×30')
  await at.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { get: () => 'visible', configurable: true })
  })
  await becomes('120×30')
  await choose('Keep fitted while I watch')
  await until(async () => (await sizeNow()) !== '120×30')
  await choose('Fitted while you watch: restore the size')
  await becomes('120×30')
})

test('another viewer’s resize ends the fit, and nothing is restored', async () => {
  await lookAt(at.page, 'sized')
  await choose('Keep fitted while I watch')
  await until(async () => (await sizeNow()) !== '120×30')
  await instance.cli('resize', 'sized', '101x37')
  await at.page.getByText('The terminal was resized elsewhere').waitFor()
  await at.page.getByRole('button', { name: 'Size 101×37', exact: true }).waitFor()
  await at.page.getByRole('link', { name: 'Agents' }).first().click()
  await at.page.getByRole('heading', { name: 'Agents' }).waitFor()
  await lookAt(at.page, 'sized')
  await at.page.getByRole('button', { name: 'Size 101×37', exact: true }).waitFor()
  expect(await sizeNow()).toBe('101×37')
})
