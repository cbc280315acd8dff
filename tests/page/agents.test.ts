/** The tree of terminals in the page: parents and children, search, folds and pins. */

import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage()
const { instance } = at

/** In the order of the page. */
const names = () => at.page.getByRole('list', { name: 'All terminals' }).locator('.name').allTextContents()

async function family(): Promise<void> {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { name: 'lead', command: ['cat'], waitFor: 'none' })
  const { terminals } = await client.call('list', {})
  const pid = terminals.find((one) => one.terminalId === terminalId)?.pid ?? 0
  const inside = await instance.rpcFrom(pid)
  await inside.call('create', { name: 'helper', command: ['cat'], waitFor: 'none' })
  await client.call('create', { name: 'other', command: ['cat'], waitFor: 'none' })
}

test('a terminal opened by another one is listed below it, folded by a key, and summarised', async () => {
  await family()
  await until(async () => (await names()).join() === 'lead,helper,other')
  await at.page.locator('.row', { hasText: 'lead' }).getByText('1 waiting').waitFor()
  await at.page.locator('.row a', { hasText: 'lead' }).focus()
  await at.page.keyboard.press('ArrowLeft')
  await until(async () => (await names()).join() === 'lead,other')
  await at.page.keyboard.press('ArrowRight')
  await until(async () => (await names()).join() === 'lead,helper,other')
  await at.page.getByRole('button', { name: 'Terminals below lead' }).click()
  await until(async () => (await names()).join() === 'lead,other')
})

test('the wall groups terminals by the one that opened them', async () => {
  const { page } = at
  await family()
  await page.keyboard.press('w')
  await page.getByLabel('Group by agent').check()
  const namesIn = (title: string) =>
    page
      .locator('section', { has: page.getByRole('heading', { name: title, exact: true, level: 2 }) })
      .last()
      .locator('.tile .name')
      .allTextContents()
  await until(async () => (await namesIn('lead')).join() === 'lead,helper')
  expect(await namesIn('Others')).toEqual(['other'])
})

test('a row with an answer has the same columns as other rows', async () => {
  await openTerminal(instance, 'plain', 'cat')
  await openTerminal(instance, 'asks', 'bash', '-c', "read -rp 'Go on? [y/N] ' x")
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { name: 'deletes' })
  await expect(agent.call('send', { terminalId, text: 'rm some-file' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  await until(async () => (await at.page.locator('.row-answer').count()) === 2)
  const edges = await at.page
    .locator('.row .id')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  assert.equal(new Set(edges).size, 1)
})

test('a filter shows matching rows with their ancestors, and a pinned row is always shown', async () => {
  await family()
  await until(async () => (await names()).length === 3)
  await at.page.locator('.row a', { hasText: 'other' }).focus()
  await at.page.keyboard.press('p')
  await at.page.getByRole('region', { name: 'Pinned' }).getByText('other', { exact: true }).waitFor()
  await at.page.keyboard.press('/')
  await at.page.keyboard.type('help')
  await until(async () => (await names()).join() === 'lead,helper')
  await at.page.getByLabel('State').selectOption('failed')
  await at.page.getByRole('button', { name: 'Show all' }).click()
  await until(async () => (await names()).length === 3)
  await at.page.reload()
  await at.page.getByRole('region', { name: 'Pinned' }).getByText('other', { exact: true }).waitFor()
})

test('a line is found in the output of all terminals, also when it looks like a pattern', async () => {
  for (const name of ['one', 'two', 'three']) await openTerminal(instance, name, 'cat')
  await instance.cli('send', 'two', 'a needle (in [hay')
  // The search covers the listed terminals, with their output up to then.
  await until(async () => (await names()).length === 3)
  await until(async () => (await instance.cli('read', 'two')).stdout.includes('needle'))
  await at.page.getByLabel('Find in the output of all terminals').fill('needle (in [hay')
  await at.page.keyboard.press('Enter')
  await at.page.getByText('“needle (in [hay” is in 1 of 3 terminals.').waitFor()
  await at.page.locator('.results').getByText('two', { exact: true }).click()
  await at.page.getByRole('heading', { name: 'two' }).waitFor()
})

test('a found line opens its terminal at that line, above the rows that the terminal still has', async () => {
  await openTerminal(instance, 'long', 'sh', '-c', 'seq -f "line %.0f" 1 30000; exec cat')
  await until(async () => (await names()).length === 1)
  await until(async () => (await instance.cli('screen', 'long')).stdout.includes('line 30000'))
  await at.page.getByLabel('Find in the output of all terminals').fill('line 4242')
  await at.page.keyboard.press('Enter')
  await at.page.locator('.results .hits').getByText('line 4242', { exact: true }).click()
  const rows = at.page.locator('.covering-screen .xterm-rows > div')
  await rows.filter({ hasText: /^line.4242\s*$/ }).waitFor()
  await rows.filter({ hasText: /^line.4240\s*$/ }).waitFor()
  const shots = process.env['AGENTPTY_SHOTS']
  if (shots !== undefined) await at.page.screenshot({ path: `${shots}/found-line.png` })
})

const manyMax = 300

test('three hundred terminals are listed, found and navigated', async () => {
  const client = await instance.rpc()
  for (let at = 0; at < manyMax; at++)
    await client.call('create', { name: `many-${at}`, command: ['cat'], waitFor: 'none' })
  await until(async () => (await names()).length === manyMax)
  await at.page.keyboard.press('/')
  await at.page.keyboard.type('many-299')
  await until(async () => (await names()).join() === 'many-299')
  await at.page.keyboard.press('Escape')
  await at.page.getByLabel('Filter terminals').fill('')
  await until(async () => (await names()).length === manyMax)
  await at.page.locator('.row .name').getByText('many-299', { exact: true }).click()
  await at.page.getByRole('heading', { name: 'many-299' }).waitFor()
})
