/** The extension in a real VS Code, driven by a person at the keyboard and by an agent over MCP at the same time. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Instance, until } from '../e2e/instance.ts'
import type { McpCaller } from '../e2e/mcp-caller.ts'
import { Editor } from './editor.ts'

const setUpMs = 900_000
const testTimeoutMs = 120_000
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

const open = (name: string, command: readonly string[]) =>
  agent.call('create', { name, command: [...command], cwd: editor.folder })

test(
  'what an agent opens is a tab, and the person goes on typing in their file',
  async () => {
    const { page, folder } = editor
    const file = join(folder, 'notes.txt')
    writeFileSync(file, '')
    await page.keyboard.press('Control+p')
    await page.keyboard.type('notes.txt')
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'notes.txt' }).first().waitFor()
    await page.keyboard.press('Enter')
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
  'what a person types in a tab arrives, once, also when the daemon is killed meanwhile',
  async () => {
    const { page } = editor
    await page.locator('.terminal-wrapper.active').click()
    await page.keyboard.type('echo by hand: $((20+1))\n')
    await editor.untilShown('by hand: 21')
    process.kill((await instance.status()).daemon.pid, 'SIGKILL')
    await page.keyboard.type('echo after the kill: $((20+2))\n')
    await editor.untilShown('after the kill: 22')
    expect((await editor.shown()).match(/echo after the kill/g)).toHaveLength(1)
  },
  testTimeoutMs,
)

test(
  'after a reload of the window its tabs are there again, as they are by then',
  async () => {
    const client = await instance.rpc()
    await client.call('send', { terminalId: 'build', text: 'clear; echo before the reload' })
    await editor.page.reload()
    await client.call('send', { terminalId: 'build', text: 'echo during the reload' })
    await editor.untilConnected()
    await editor.inTree('build').waitFor()
    await editor.inTree('build').click()
    await editor.untilShown('before the reload')
    await editor.untilShown('during the reload')
  },
  testTimeoutMs,
)

test(
  'a terminal that is larger than its tab shows the part where its cursor is, and what is above it as scrollback',
  async () => {
    await open('tall', ['bash', '--norc', '-c', 'seq 1 200; read x; read x'])
    await agent.call('resize', { terminalId: 'tall', cols: 100, rows: 90 })
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
  'a yes or no is listed with a badge, and answered by a choice',
  async () => {
    const { page } = editor
    await open('asks', ['bash', '-c', "read -rp 'Delete all of it? [y/N] ' x; echo got $x; exec cat"])
    const need = page.locator('.monaco-list-row', { hasText: 'asks yes or no' }).first()
    await need.waitFor({ timeout: 30_000 })
    await page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor()
    await need.click()
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'y' }).first().waitFor()
    await page.keyboard.type('y')
    await page.keyboard.press('Enter')
    await editor.untilShown('got y')
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' })
    await agent.call('close', { terminalId: 'asks' })
  },
  testTimeoutMs,
)

test(
  'who takes a terminal over keeps the agent out until it is handed back',
  async () => {
    const { page } = editor
    await editor.inTree('build').click()
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
  'a person’s own new terminal has the size of its tab, and lives on without it',
  async () => {
    const { page } = editor
    await editor.command('agentpty: New Terminal')
    // The tab that was in front has a prompt too.
    await until(async () => /^\S.*[$#]/.test(await editor.shown()) && !(await editor.shown()).includes('now again'))
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
