/** A person takes a terminal over in the page and gives it back. */

import { expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage({
  before: (instance) => openTerminal(instance, 'shared', 'cat'),
})
const { instance } = at

const mine = () => at.page.getByText('You have taken over. Agents cannot type.')

test('a person who takes over locks agents out, sees the remaining time, and gives back by a key', async () => {
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

test('other viewers see the holder in the list, next to the terminal and above it, and the holder sees “you”', async () => {
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

test('in an agents-only terminal a key is refused with the reason, and taking over helps', async () => {
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

test('a partial line of an agent is removed, and the person is notified', async () => {
  const agent = await instance.mcp()
  await agent.call('send', { terminalId: 'shared', text: 'half', newline: false, waitFor: 'none' })
  await lookAt(at.page, 'shared')
  await at.page.keyboard.press('Control+Shift+G')
  await at.page.getByText(/(Removed from the agent’s line|The agent has typed this without Enter): half/).waitFor()
})

test('the lease ends when the page is closed, and survives a killed daemon', async () => {
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

test('two tabs of one browser are separate holders, and either may take over from the other', async () => {
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
