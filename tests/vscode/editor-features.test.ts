/** Features of the editor's own terminal, approvals, the walkthrough and a forwarded port, in a real VS Code. */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Instance, until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { Editor } from './editor.ts'

const setUpMs = 900_000
const testTimeoutMs = 240_000
const instance = new Instance()
let editor: Editor
let agent: McpCaller

beforeAll(async () => {
  editor = await Editor.open(instance)
  agent = await instance.mcp()
  await editor.showView()
}, setUpMs)

afterAll(async () => {
  await editor.close()
  assert.deepEqual(await instance.stop(), [])
}, testTimeoutMs)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(await editor.report(task.name))
})

const shots = process.env['AGENTPTY_SHOTS']
const shoot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) })
}

const answer = (label: string): Locator =>
  editor.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first()

/** A row that is drawn again during a click does not notice it. */
async function openQuestion(row: string): Promise<void> {
  await until(async () => {
    await editor.needs(row).click()
    return answer('Allow once')
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      )
  })
}

/** An answer in the first half second does not count, and is given again. */
async function choose(label: string, isDone: () => Promise<boolean>): Promise<void> {
  await answer(label).waitFor()
  await until(async () => {
    if (await isDone()) return true
    await answer(label)
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    return isDone()
  })
}

test(
  'Enter allows nothing, whatever is typed before it; a command is allowed from now on in three steps',
  async () => {
    const { page, folder } = editor
    mkdirSync(join(folder, 'old'))
    const person = await instance.rpc({}, { isPerson: true })
    const states = async () => (await person.call('approvals', { all: true })).approvals.map(({ state }) => state)
    const remove = () => agent.call('run', { command: 'rm -r old', cwd: folder })
    await expect(remove()).rejects.toMatchObject({ code: 'needs_approval' })
    await openQuestion('rm -r old')
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'old' }).waitFor()
    await shoot(page, 'vscode-approval')
    // The first row shows all of the request.
    await until(async () => {
      await page.keyboard.press('Enter')
      return page.locator('.tab', { hasText: 'wants approval' }).isVisible()
    })
    await answer('Allow once').waitFor()
    await page.keyboard.type('Allow once')
    await page.keyboard.press('Enter')
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'old' }).waitFor()
    expect(await states()).toEqual(['open'])
    const isStep = (label: string) => () => answer(label).isVisible()
    await choose('Allow from now on…', isStep('Back to the question'))
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Back to the question' }).waitFor()
    await choose('Back to the question', isStep('Allow once'))
    await choose('Allow from now on…', isStep('Back to the question'))
    await choose('rm -r old', isStep('in every terminal in'))
    await choose('in every terminal in', isStep('8 hours'))
    await shoot(page, 'vscode-allow-from-now-on')
    expect(await states()).toEqual(['open'])
    await choose('1 hour', async () => (await states()).includes('allowed'))
    expect((await person.call('approvals', {})).grants).toMatchObject([{ command: 'rm -r old', cwd: folder }])
    await remove()
    mkdirSync(join(folder, 'old'))
    await remove()
  },
  testTimeoutMs,
)

test(
  'a relative path in a terminal leads to its file, counted from the folder of the terminal',
  async () => {
    const { page, folder } = editor
    const source = join(folder, 'pkg', 'src')
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'a.txt'), 'one\ntwo\nthree\n')
    await agent.call('create', { name: 'links', command: ['bash', '--norc'], cwd: join(folder, 'pkg') })
    await editor.clickInTree('links')
    await editor.untilShown('bash-5')
    await agent.call('send', { terminalId: 'links', text: 'clear; echo "error in src/a.txt:3:2 of $((40+2))"' })
    await editor.untilShown('of 42')
    await followLink('src/a.txt:3:2 of 42', page.locator('.statusbar', { hasText: 'Ln 3, Col 2' }))
    await agent.call('close', { terminalId: 'links' })
  },
  testTimeoutMs,
)

test(
  'a hyperlink that a program has printed before its tab was opened leads to its address',
  async () => {
    const { page } = editor
    const link = '\\e]8;;https://agentpty.test/report\\e\\\\the report\\e]8;;\\e\\\\'
    const command = ['bash', '-c', `printf '${link} is ready\\n'; exec cat`]
    await agent.call('create', { name: 'linked', command, rows: 6, cols: 40 })
    await agent.call('read', { terminalId: 'linked', waitFor: { text: 'is ready' }, since: 0 })
    await editor.clickInTree('linked')
    await editor.untilShown('is ready')
    // The editor asks before it opens an address that it does not know.
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'https://agentpty.test/report' })
    await followLink('the report', dialog)
    await shoot(page, 'vscode-hyperlink')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await agent.call('close', { terminalId: 'linked' })
  },
  testTimeoutMs,
)

/** Clicks on a text in the terminal in front until what it leads to is shown. The editor detects a link a moment after the mouse is over it. */
async function followLink(text: string, target: Locator): Promise<void> {
  const { page } = editor
  await until(async () => {
    const { x, y } = await cellOf(page, text)
    await page.mouse.move(x + 40, y)
    await page.mouse.move(x + 20, y)
    await page.keyboard.down('Control')
    await page.mouse.click(x + 20, y)
    await page.keyboard.up('Control')
    return target.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    )
  })
}

/** The pixels of a text in the terminal in front. */
async function cellOf(page: Page, text: string): Promise<{ readonly x: number; readonly y: number }> {
  const row = page.locator('.terminal-wrapper.active .xterm-rows > div', { hasText: text }).last()
  const box = await row.boundingBox()
  const line = (await row.textContent()) ?? ''
  const screen = await page.locator('.terminal-wrapper.active .xterm-screen').boundingBox()
  if (box === null || screen === null) throw new Error(`"${text}" is not in the terminal.`)
  const columns = await page.evaluate(() => {
    const active = document.querySelector('.terminal-wrapper.active') as unknown as { xterm: { cols: number } }
    return active.xterm.cols
  })
  return { x: screen.x + (line.indexOf(text) * screen.width) / columns, y: box.y + box.height / 2 }
}

test(
  'a task of the type agentpty runs in a terminal of the daemon, and its problem matcher finds its problems',
  async () => {
    const { page, folder } = editor
    // Its matcher leaves files alone that are open in the editor.
    writeFileSync(join(folder, 'b.txt'), 'one\ntwo\n')
    const command = 'echo "b.txt(2,1): error TS1: The second line is wrong."; exit 2'
    const task = { type: 'agentpty', label: 'check', command, problemMatcher: '$tsc' }
    mkdirSync(join(folder, '.vscode'), { recursive: true })
    writeFileSync(join(folder, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [task] }))
    const client = await instance.rpc()
    const isListed = async () => (await client.call('list', {})).terminals.some(({ name }) => name === 'check')
    // The editor reads the file a moment after it was written.
    await until(async () => {
      if (await isListed()) return true
      await editor.agent.command('workbench.action.tasks.runTask', 'check')
      return page
        .locator('.terminal-wrapper.active', { hasText: 'Executing task' })
        .waitFor({ timeout: 5_000 })
        .then(isListed, () => false)
    })
    await editor.untilShown('The second line is wrong.')
    await editor.agent.command('workbench.actions.view.problems')
    const problem = page.locator('.markers-panel .monaco-list-row', { hasText: 'The second line is wrong.' })
    await problem.filter({ hasText: '[Ln 2, Col 1]' }).waitFor()
    await shoot(page, 'vscode-problems')
    // The editor shows that it has failed.
    await until(async () => (await client.call('needs', {})).needs.length === 0)
    await editor.agent.command('workbench.action.terminal.focus')
    await page.locator('.terminal-wrapper.active .xterm.focus').waitFor()
    const countOpen = async () => (await client.call('list', {})).terminals.length
    const before = await countOpen()
    await editor.agent.command('workbench.action.tasks.runTask', 'check')
    // The next run takes the tab and the name of the one before.
    await until(async () => (await editor.shown()).split('Terminal will be reused by tasks').length === 3)
    expect([await countOpen(), await isListed()]).toEqual([before, true])
    await page.locator('.terminal-wrapper.active .xterm.focus').waitFor()
    // Any key closes the terminal of a task that has ended.
    await page.keyboard.press('Space')
    await until(async () => !(await isListed()))
  },
  testTimeoutMs,
)

test(
  'the walkthrough opens with its pictures, and its first step is complete once agentpty is connected',
  async () => {
    const { page } = editor
    await editor.agent.command('agentpty.getStarted')
    const steps = page.locator('.getting-started-step')
    await steps.first().waitFor()
    expect(await steps.count()).toBe(5)
    await page.locator('[data-step-id$="#connect"] .complete, [data-step-id$="#connect"].complete').first().waitFor()
    const picture = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('svg')
    await picture.first().waitFor()
    await shoot(page, 'vscode-walkthrough')
    await editor.agent.command('workbench.action.closeAllEditors')
  },
  testTimeoutMs,
)

test(
  'in an editor that is reached through a forwarded port, the page opens at the address of the editor and connects',
  async () => {
    const { page, folder } = editor
    const { port, close } = await forward(Number(new URL(page.url()).port))
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`)
    await editor.untilConnected()
    await editor.showView()
    await agent.call('create', { name: 'seen', command: ['cat'], cwd: folder })
    const opened = page.context().waitForEvent('page')
    await editor.command('agentpty: Open the Page in a Browser')
    const shown = await opened
    await shown.getByText('seen').first().waitFor()
    const daemon = new URL((await instance.status()).http?.url ?? '')
    expect(shown.url()).toMatch(new RegExp(`^http://127.0.0.1:${port}/proxy/${daemon.port}/`))
    await shown.keyboard.press('w')
    await shown.locator('canvas').first().waitFor()
    await shoot(shown, 'page-forwarded')
    await shown.close()
    close()
  },
  testTimeoutMs,
)

/** Forwards a port of this machine, as `ssh -L` does. */
async function forward(to: number): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    client.pipe(target).pipe(client)
    client.on('error', () => target.destroy())
    target.on('error', () => client.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return { port: address.port, close: () => void server.close() }
}
