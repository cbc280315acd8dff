/** The extension in a real VS Code, used by a person at the keyboard and by an agent over MCP at the same time. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Instance, until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { Editor } from './editor.ts'
import { graphTests } from './graph-tests.ts'
import { windowTests } from './window-tests.ts'
import { leaveOldEntry, oldSettings, testsOfComing, testsWithAgents } from './with-agents.ts'

const setUpMs = 900_000
const testTimeoutMs = 120_000
const instance = new Instance()
let editor: Editor
let agent: McpCaller

beforeAll(async () => {
  leaveOldEntry(instance)
  editor = await Editor.open(instance, await oldSettings())
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

const open = (name: string, command: readonly string[]) =>
  agent.call('create', { name, command: [...command], cwd: editor.folder })

testsOfComing(instance, () => editor)

test(
  'a terminal opened by an agent is a tab, and the person keeps typing in their file',
  async () => {
    const { page, folder } = editor
    const file = join(folder, 'notes.txt')
    writeFileSync(file, '')
    await editor.pick('Control+p', 'notes.txt')
    await page.locator('.monaco-editor.focused').waitFor()
    await page.keyboard.type('before ')
    await open('build', ['bash', '--norc'])
    await editor.untilShown('bash-5')
    await page.keyboard.type('and after')
    await page.locator('.view-line', { hasText: 'before and after' }).waitFor()
    await agent.call('send', { terminalId: 'build', text: 'echo by the agent: $((6*7))' })
    await editor.untilShown('by the agent: 42')
  },
  testTimeoutMs,
)

test(
  'input in a tab arrives once, even if the daemon is killed meanwhile',
  async () => {
    const { page } = editor
    await page.locator('.terminal-wrapper.active').click()
    await page.keyboard.type('echo by hand: $((20+1))\n')
    await editor.untilShown('by hand: 21')
    await instance.killDaemon()
    await page.keyboard.type('echo after the kill: $((20+2))\n')
    await editor.untilShown('after the kill: 22')
    expect((await editor.shown()).match(/echo after the kill/g)).toHaveLength(1)
  },
  testTimeoutMs,
)

test(
  'a new terminal stays behind the one in which the person types, and comes to the front once they type in a file',
  async () => {
    const { page } = editor
    await page.locator('.terminal-wrapper.active').click()
    await page.keyboard.type('echo half a line')
    await open('behind', ['bash', '--norc', '-c', 'echo I am behind; exec cat'])
    await page.locator('.statusbar', { hasText: 'behind is a new tab' }).waitFor()
    await page.keyboard.type(' and its $((40+2))\n')
    await editor.untilShown('half a line and its 42')
    await page.locator('.monaco-editor .view-lines').first().click()
    await page.locator('.monaco-editor.focused').waitFor()
    await open('ahead', ['bash', '--norc', '-c', 'echo I am in front; exec cat'])
    await editor.untilShown('I am in front')
    await page.locator('.monaco-editor.focused').waitFor()
    for (const terminalId of ['behind', 'ahead']) await agent.call('close', { terminalId })
    await editor.clickInTree('build')
    await editor.untilShown('and its 42')
  },
  testTimeoutMs,
)

test(
  'a reload of the window restores its tabs in their current state',
  async () => {
    const client = await instance.rpc()
    await client.call('send', { terminalId: 'build', text: 'clear; echo before the reload' })
    await editor.page.reload()
    await client.call('send', { terminalId: 'build', text: 'echo during the reload' })
    await editor.untilConnected()
    await editor.inTree('build').waitFor()
    await editor.clickInTree('build')
    await editor.untilShown('before the reload')
    await editor.untilShown('during the reload')
  },
  testTimeoutMs,
)

test(
  'a terminal larger than its tab shows the part with the cursor, and the rows above as scrollback',
  async () => {
    await open('tall', ['bash', '--norc', '-c', 'seq 1 200; read x; read x'])
    await agent.call('resize', { terminalId: 'tall', cols: 100, rows: 90 })
    await editor.clickInTree('tall')
    const numbers = async () => (await editor.shown()).match(/^\d+/gm)?.map(Number)
    const all = Array.from({ length: 200 }, (_, at) => at + 1)
    await until(async () => String(await numbers()) === String(all))
    await agent.call('send', { terminalId: 'tall', text: 'typed' })
    await editor.untilShown('typed')
    await agent.call('resize', { terminalId: 'tall', cols: 60, rows: 8 })
    await until(async () => /^120$/m.test(await editor.shown()))
    await agent.call('close', { terminalId: 'tall' })
  },
  testTimeoutMs,
)

test(
  'a confirmation is listed with a badge and answered by a choice; Enter alone answers nothing',
  async () => {
    const { page } = editor
    await open('asks', ['bash', '-c', "read -rp 'Delete all of it? [y/N] ' x; echo got $x; exec cat"])
    const need = editor.needs('Delete all of it?')
    await need.waitFor({ timeout: 30_000 })
    await page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor()
    await need.click()
    const list = page.locator('.quick-input-widget')
    /** An answer in the first half second does not count, and is given again. */
    const pressEnter = () =>
      until(async () => {
        await page.keyboard.press('Enter')
        return list.waitFor({ state: 'hidden', timeout: 2_000 }).then(
          () => true,
          () => false,
        )
      })
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Delete all of it?' }).waitFor()
    await pressEnter()
    expect(await editor.shown()).not.toContain('got')
    await need.click()
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'y' }).first().waitFor()
    await page.keyboard.type('y')
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: /^y/ }).waitFor()
    await pressEnter()
    await editor.untilShown('got y')
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' })
    await agent.call('close', { terminalId: 'asks' })
  },
  testTimeoutMs,
)

test(
  'a take-over locks the agent out until it is handed back',
  async () => {
    const { page } = editor
    await editor.clickInTree('build')
    await editor.inTree('build').hover()
    await editor.inTree('build').locator('[aria-label^="Take Over"]').click()
    await page.locator('.monaco-list-row', { hasText: 'build' }).locator('[aria-label^="Hand Back"]').waitFor()
    const sent = agent.call('send', { terminalId: 'build', text: 'echo not now' })
    await expect(sent).rejects.toMatchObject({ code: 'person_types' })
    await editor.inTree('build').hover()
    await editor.inTree('build').locator('[aria-label^="Hand Back"]').click()
    await until(async () => {
      const again = await agent.call('send', { terminalId: 'build', text: 'echo now again' }).catch(() => null)
      return again !== null
    })
    await editor.untilShown('now again')
  },
  testTimeoutMs,
)

test(
  'a person’s new terminal has the size of its tab, and outlives it',
  async () => {
    const { page } = editor
    await editor.command('agentpty: New Terminal')
    // The previously active tab has a prompt, too.
    await until(async () => /^\$/.test(await editor.shown()) && !(await editor.shown()).includes('now again'))
    await page.locator('.terminal-wrapper.active .xterm.focus').waitFor()
    await page.keyboard.type('stty size\n')
    await until(async () => /^\d+ \d+$/m.test(await editor.shown()))
    const [, rows = 0, cols = 0] = (/^(\d+) (\d+)$/m.exec(await editor.shown()) ?? []).map(Number)
    expect(rows).toBeLessThan(30)
    const client = await instance.rpc()
    const { terminals } = await client.call('list', {})
    const own = terminals.at(-1)
    const { rows: has, cols: wide } = await client.call('screenshot', { terminalId: own?.terminalId ?? '' })
    expect([has, wide]).toEqual([rows, cols])
    await editor.command('Terminal: Kill the Active Terminal Instance')
    expect((await client.call('list', {})).terminals.map(({ terminalId }) => terminalId)).toContain(own?.terminalId)
  },
  testTimeoutMs,
)

test(
  'the settings place a terminal opened by an agent: next to the files, or nowhere until it is requested',
  async () => {
    const { page } = editor
    editor.set({ 'agentpty.terminals.location': 'editor' })
    const tab = (name: string) => page.locator('.editor-group-container .tab', { hasText: name })
    await until(async () => {
      await open('beside', ['cat'])
      const isThere = await tab('beside')
        .waitFor({ timeout: 3_000 })
        .then(() => true)
        .catch(() => false)
      if (!isThere) await agent.call('close', { terminalId: 'beside' })
      return isThere
    })
    await agent.call('close', { terminalId: 'beside' })
    await tab('beside').waitFor({ state: 'detached' })
    editor.set({ 'agentpty.terminals.location': 'off' })
    await until(async () => {
      await open('hidden', ['cat'])
      await editor.inTree('hidden').waitFor()
      const isShown = (await page.locator('.terminal-tabs-entry, .tab', { hasText: 'hidden' }).count()) > 0
      if (!isShown) return true
      await agent.call('close', { terminalId: 'hidden' })
      // Otherwise this row would be taken for the next one's.
      await editor.inTree('hidden').waitFor({ state: 'detached' })
      return false
    })
    await editor.clickInTree('hidden')
    await agent.call('send', { terminalId: 'hidden', text: 'asked for' })
    await editor.untilShown('asked for')
    editor.set({})
  },
  testTimeoutMs,
)

test(
  'after signing in, the terminals of another machine are shown, and later those of this one again',
  async () => {
    const { page } = editor
    const other = new Instance({ AGENTPTY_HTTP_PORT: '0' })
    await other.cli('new', '--name', 'far-away', 'cat')
    const printed = (await other.cli('open', '--print')).stdout.trim()
    await editor.command('agentpty: Sign In to Another Machine')
    const input = page.locator('.quick-input-widget', { hasText: 'Sign in to another machine' }).locator('input')
    await input.fill(printed)
    await input.press('Enter')
    await editor.clickInTree('far-away')
    await other.cli('send', 'far-away', 'over the network', '--wait', 'none')
    await editor.untilShown('over the network')
    expect(await editor.notification('No terminal').count()).toBe(0)
    await until(async () => (await page.locator('.monaco-list-row', { hasText: 'build' }).count()) === 0)
    await editor.command('agentpty: Use This Machine Again')
    await editor.inTree('build').waitFor()
    await until(async () => (await page.locator('.monaco-list-row', { hasText: 'far-away' }).count()) === 0)
    assert.deepEqual(await other.stop(), [])
  },
  testTimeoutMs,
)

graphTests({ instance, editor: () => editor, agent: () => agent })

windowTests({ instance, editor: () => editor, agent: () => agent })

testsWithAgents(instance, () => editor)
