/** A person takes a terminal over in the page, and gives it back. */

import { expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage({
  before: (instance) => openTerminal(instance, 'shared', 'cat'),
})
const { instance } = at

const mine = () => at.page.getByText('You have taken over. Agents cannot type.')

test('whoever takes it over keeps agents out, sees for how long, and gives it back by a key', async () => {
  const agent = await instance.mcp()
  await lookAt(at.page, 'shared')
  await at.page.getByRole('button', { name: 'Take over' }).click()
  await mine().waitFor()
  await at.page.getByText(/^\d+ s left/).waitFor()
  const send = { terminalId: 'shared', text: 'from an agent', waitFor: 'none' } as const
  await expect(agent.call('send', send)).rejects.toMatchObject({ code: 'person_types' })
  await at.page.keyboard.type('from a person\n')
  await screenOf(at.page).getByText('from a person').first().waitFor()
  await at.page.keyboard.press('Control+Shift+G')
  await mine().waitFor({ state: 'detached' })
  await agent.call('send', send)
  await screenOf(at.page).getByText('from an agent').first().waitFor()
  expect((await instance.cli('screen', 'shared')).stdout).not.toContain('\x07')
})

test('others see who has it, in the list, beside the terminal and above it, and its holder sees “you”', async () => {
  await lookAt(at.page, 'shared')
  await at.page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  await at.page.locator('.holder').getByText('taken by you').first().waitFor()
  const other = await signedIn(instance, await at.browser.newContext())
  await other.locator('.holder').getByText('taken by page').waitFor()
  await lookAt(other, 'shared')
  await other.getByText('Taken over by page').waitFor()
  await other.getByRole('button', { name: 'Take over' }).waitFor()
  await other.context().close()
})

test('where only agents type, a key is refused and it is said why, and taking it over helps', async () => {
  await instance.cli('take', 'shared')
  await instance.cli('release', 'shared', '--agents-only')
  await lookAt(at.page, 'shared')
  await at.page.getByText('Only agents type here.', { exact: true }).waitFor()
  await at.page.keyboard.type('x')
  await at.page.getByText('your keys were not typed').waitFor()
  await at.page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  await at.page.keyboard.type('typed now\n')
  await screenOf(at.page).getByText('typed now').first().waitFor()
})

test('a half line of an agent is taken back, and the person is told of it', async () => {
  const agent = await instance.mcp()
  await agent.call('send', { terminalId: 'shared', text: 'half', newline: false, waitFor: 'none' })
  await lookAt(at.page, 'shared')
  await at.page.keyboard.press('Control+Shift+G')
  await at.page.getByText(/(Removed from the agent’s line|The agent has typed this without Enter): half/).waitFor()
})

test('it is given back when the page is closed, and kept over a daemon that was killed', async () => {
  await lookAt(at.page, 'shared')
  await at.page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  await instance.killDaemon()
  await at.page.getByText('Reconnecting.').waitFor()
  await instance.status()
  await at.page.getByText('Reconnecting.').waitFor({ state: 'detached' })
  await mine().waitFor()
  const rpc = await instance.rpc()
  await at.page.goto('about:blank')
  await until(async () => {
    const events = rpc.watch({ overview: true })[Symbol.asyncIterator]()
    const { value } = await events.next()
    await events.return?.(undefined)
    return value?.terminals[0]?.mayType === 'both'
  })
})

test('two tabs of one browser are two: what one takes over the other sees taken by somebody else, and may take', async () => {
  const other = await at.context.newPage()
  await other.goto(new URL('/', at.page.url()).href)
  await lookAt(at.page, 'shared')
  await at.page.keyboard.press('Control+Shift+G')
  await mine().waitFor()
  await lookAt(other, 'shared')
  await other.getByText(/^Taken over by page \(.*, tab [a-z0-9]+\)/).waitFor()
  const theirs = other.getByText('You have taken over. Agents cannot type.')
  expect(await theirs.count()).toBe(0)
  await other.getByRole('button', { name: 'Take over' }).click()
  await theirs.waitFor()
  await mine().waitFor({ state: 'detached' })
  await at.page.getByText(/^Taken over by page/).waitFor()
})
