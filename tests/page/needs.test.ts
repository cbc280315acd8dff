/** Requests to a person are answered in the page, with real programs and agents that wait for the answer. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { workspaceIn } from '../harness/workspace.ts'

const dialogs = join(import.meta.dirname, '..', 'e2e', 'dialogs.mjs')
const at = eachPage({
  ready: async (page) => {
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  },
})
const { instance } = at

const workspace = () => workspaceIn(instance.user)

const card = (name: string) => at.page.getByRole('article', { name })
const text = (name: string) => instance.cli('screen', name)

/** A key counts only once the card has not moved for a moment. */
async function pressUntil(key: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await holds()) return true
    await at.page.keyboard.press(key)
    return holds()
  })
}

test('an agent’s command is shown with its effects, waits for the person, and runs after their consent', async () => {
  const cwd = workspace()
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd, name: 'cleaner' })
  const sent = agent.call('send', { terminalId, text: 'rm precious' })
  await card('Approval: cleaner').getByText('deletes precious (5 bytes)').waitFor()
  await at.page.locator('.peek pre').getByText('$').waitFor()
  expect(await at.page.title()).toBe('(1) agentpty')
  expect(await at.page.locator('link[rel=icon]').getAttribute('href')).toContain('circle')
  await card('Approval: cleaner').getByRole('button', { name: 'Allow once' }).press('Enter')
  await card('Approval: cleaner').getByRole('button', { name: 'Deny' }).waitFor()
  expect(existsSync(join(cwd, 'precious'))).toBe(true)
  await pressUntil('a', () => !existsSync(join(cwd, 'precious')))
  await sent
  await until(async () => (await at.page.title()) === 'agentpty')
  await agent.call('close', { terminalId })
})

test('a denied command does not run, also when denied in the list', async () => {
  const cwd = workspace()
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd, name: 'denied' })
  const first = expect(agent.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
    code: 'not_approved',
  })
  await card('Approval: denied').waitFor()
  await pressUntil('x', async () => (await at.page.getByText('Denied.').count()) > 0)
  await first
  await at.page.keyboard.press('t')
  let isOver = false
  const second = agent.call('send', { terminalId, text: 'rm -f precious' }).finally(() => {
    isOver = true
  })
  const refusal = expect(second).rejects.toMatchObject({ code: 'not_approved' })
  const row = at.page.locator('.row', { hasText: 'denied' })
  const deny = row.getByRole('button', { name: 'Deny' })
  await until(async () => {
    // A click counts only once the row has not moved for a moment.
    if (!isOver) await deny.click({ timeout: 1_000 }).catch(() => {})
    return isOver
  })
  await refusal
  expect(existsSync(join(cwd, 'precious'))).toBe(true)
  await agent.call('close', { terminalId })
})

test('what a program does is asked about while its call is held, and the job can be ended', async () => {
  const keep = join(instance.user, 'keep')
  writeFileSync(keep, 'kept')
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd: workspace(), name: 'gated', gate: 'ask' })
  const sent = agent.call('run', { terminalId, command: `sh -c 'rm ${keep}; sleep 1000'; echo "ended $?"` })
  expect(await sent).toMatchObject({ outcome: 'needs_approval' })
  const asked = card('Approval: gated')
  await asked.getByText('rm wants to delete ~/keep').waitFor()
  await asked.getByText('Without an answer within').waitFor()
  const shots = process.env['AGENTPTY_SHOTS']
  if (shots !== undefined) await at.page.screenshot({ path: `${shots}/effects.png` })
  await pressUntil('e', async () => (await text('gated')).stdout.includes('ended 143'))
  expect(existsSync(keep)).toBe(true)
  await agent.call('close', { terminalId })
})

test('a click meant for another question in the same row does not answer the new one', async () => {
  const cwd = workspace()
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd, name: 'replaced' })
  const refusal = (text: string) =>
    expect(agent.call('send', { terminalId, text })).rejects.toMatchObject({ code: 'not_approved' })
  const first = refusal('rm elsewhere')
  await card('Approval: replaced').getByText('rm elsewhere').first().waitFor()
  const second = refusal('rm precious')
  await card('Approval: replaced').getByText('rm precious').first().waitFor()
  await at.page.keyboard.press('t')
  const row = at.page.locator('.row', { hasText: 'replaced' })
  await row.locator('.doing', { hasText: 'rm elsewhere' }).waitFor()
  // The row has not moved for long, but the click was meant for the earlier question.
  await row.evaluate((whole) => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 60_000
    const press = () =>
      whole.textContent?.includes('rm precious') && whole.querySelector<HTMLElement>('.row-answer button')?.click()
    new MutationObserver(press).observe(whole, { characterData: true, childList: true, subtree: true })
  })
  const { approvals } = JSON.parse((await instance.cli('approvals', '--json')).stdout)
  await instance.cli('approvals', 'answer', approvals[0].approvalId, 'deny')
  await at.page.getByText('This item just appeared or moved.').waitFor()
  expect(existsSync(join(cwd, 'precious'))).toBe(true)
  await instance.cli('approvals', 'answer', 'all', 'deny')
  await Promise.all([first, second])
  await agent.call('close', { terminalId })
})

test('similar commands are allowed from now on, and run without a question', async () => {
  const cwd = workspace()
  writeFileSync(join(cwd, 'another'), 'data\n')
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd, name: 'granted' })
  const sent = agent.call('send', { terminalId, text: 'rm precious' })
  await card('Approval: granted').waitFor()
  await pressUntil('g', async () => (await at.page.getByRole('dialog').count()) > 0)
  await at.page.getByLabel('rm *').check()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
  await sent
  await agent.call('send', { terminalId, text: 'rm another' })
  expect([existsSync(join(cwd, 'precious')), existsSync(join(cwd, 'another'))]).toEqual([false, false])
  await agent.call('close', { terminalId })
})

test('the first answer counts: the card shows who was first, and disappears', async () => {
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { cwd: workspace(), name: 'raced' })
  const sent = agent.call('send', { terminalId, text: 'rm precious' })
  await card('Approval: raced').waitFor()
  await instance.cli('approvals', 'answer', 'all', 'allow')
  await card('Approval: raced').getByText('Already allowed by agentpty CLI').waitFor()
  await card('Approval: raced').waitFor({ state: 'detached' })
  await sent
  await agent.call('close', { terminalId })
})

test('a password is typed without being shown or stored', async () => {
  await openTerminal(instance, 'secret', 'bash', '-c', "read -rsp 'PIN: ' x; echo; echo length ${#x}; exec cat")
  await card('Password: secret').waitFor()
  const field = card('Password: secret').getByLabel('Secret answer')
  await at.page.keyboard.press('i')
  await at.page.keyboard.type('correct horse')
  expect(await field.getAttribute('type')).toBe('password')
  expect(await at.page.locator('body').textContent()).not.toContain('horse')
  await until(async () => {
    if ((await card('Password: secret').locator('form').count()) === 0) return true
    await at.page.keyboard.press('Enter')
    return (await text('secret')).stdout.includes('length 13')
  })
  expect((await text('secret')).stdout).toContain('length 13')
  expect(await at.page.content()).not.toContain('correct horse')
  await instance.cli('close', 'secret')
})

test('a dialog is answered by the number of an option, a confirmation by y or n', async () => {
  await openTerminal(instance, 'dialog', 'bash', '-c', `${process.execPath} ${dialogs} digits; exec cat`)
  await card('Dialog: dialog').getByRole('button', { name: 'Yes, and always allow it' }).waitFor()
  await pressUntil('2', async () => (await text('dialog')).stdout.includes('chosen: Yes, and always allow it'))
  await instance.cli('close', 'dialog')
  await openTerminal(instance, 'yesno', 'bash', '-c', "read -rp 'Delete it? [y/N] ' x; echo got-$x; exec cat")
  await card('Yes or no: yesno').getByText('Delete it? [y/N]').waitFor()
  await pressUntil('n', async () => (await text('yesno')).stdout.includes('got-n'))
  await instance.cli('close', 'yesno')
})

test('an agent’s question to its person is answered in the page', async () => {
  const agent = await instance.mcp()
  const code = "print('got', input('Which colour? ')); input()"
  const { terminalId } = await agent.call('create', { command: ['python3', '-c', code], name: 'colour' })
  await agent.protocol.callTool({ name: 'terminal_ask_person', arguments: { terminalId } })
  await card('Question: colour').getByText('Which colour?', { exact: true }).waitFor()
  await card('Question: colour').getByLabel('Answer').fill('blue')
  await until(async () => {
    const typed = card('Question: colour').getByRole('button', { name: 'Type it' })
    if ((await typed.count()) > 0) await typed.click({ timeout: 1_000 }).catch(() => {})
    return (await text('colour')).stdout.includes('got blue')
  })
  await agent.call('close', { terminalId })
})

test('a failure is viewed or dismissed, and a request to take over is accepted', async () => {
  await openTerminal(instance, 'broken', 'bash', '-c', 'echo it broke; exit 3')
  await card('Failure: broken').getByText('It has ended with exit code 3.').waitFor()
  await at.page.locator('.peek pre').getByText('it broke').waitFor()
  await pressUntil('x', async () => (await card('Failure: broken').getByText('Dismissed.').count()) > 0)
  await openTerminal(instance, 'wanted', 'cat')
  const agent = await instance.rpc()
  const asked = agent.call('askToTake', { terminalId: 'wanted', reason: 'Solve it, please.' })
  await card('Take over: wanted').getByText('Solve it, please.').waitFor()
  await pressUntil('o', async () => (await at.page.getByText('You have taken over. Agents cannot type.').count()) > 0)
  await at.page.keyboard.press('Control+Shift+G')
  expect(await asked).toMatchObject({ outcome: 'returned' })
  await instance.cli('close', 'broken', 'wanted')
})

test('a person who is elsewhere is notified once of each request, until it is answered', async () => {
  const { origin } = new URL(at.page.url())
  await at.context.grantPermissions(['notifications'], { origin })
  // Records the browser’s own notifications. A headless browser hides no at.page, so its visibility is overridden.
  await at.page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const close = Notification.prototype.close
    Notification.prototype.close = function () {
      seen.push(`closed ${this.title}`)
      close.call(this)
    }
    globalThis.Notification = new Proxy(Notification, {
      construct(target, words: [string, NotificationOptions]) {
        seen.push(`shown ${words[0]}`)
        return new target(...words)
      },
    })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
  await at.page.reload()
  await openTerminal(instance, 'patient', 'bash', '-c', "read -rp 'Go on? [y/N] ' x; exec cat")
  const seen = () => at.page.evaluate(() => Reflect.get(globalThis, 'seen') as string[])
  await until(async () => (await seen()).length > 0)
  expect(await seen()).toEqual(['shown patient needs you'])
  await instance.cli('send', 'patient', 'y')
  await until(async () => (await seen()).length > 1)
  expect(await seen()).toEqual(['shown patient needs you', 'closed patient needs you'])
})
