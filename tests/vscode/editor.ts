/** One VS Code with the extension, as a person uses it. */

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../harness/browser.ts'
import { type Instance, program, until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { editorEntry, editorNode, installEditor } from './install-editor.ts'
import { socketIn, socketsVariable, ToolCaller, writeToolCaller } from './tool-caller.ts'

const vsix = resolve('packages/vscode/agentpty.vsix')

/** Quiet settings: the editor asks nothing, and its text is readable. */
const settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'update.mode': 'none',
  'remote.autoForwardPorts': false,
  'terminal.integrated.gpuAcceleration': 'off',
}

interface EditorParts {
  readonly home: string
  readonly folder: string
  readonly server: ChildProcess
  readonly browser: Browser
  readonly page: Page
  readonly settings: Readonly<Record<string, unknown>>
}

/** The editor shared by all tests of a file. */
export interface OpenedEditor {
  readonly instance: Instance
  readonly editor: () => Editor
  /** An agent over MCP. */
  readonly agent: () => McpCaller
}

export class Editor {
  readonly folder: string
  readonly #home: string
  readonly #server: ChildProcess
  readonly #browser: Browser
  readonly page: Page
  /** An agent of the editor. */
  readonly agent: ToolCaller
  readonly settings: Readonly<Record<string, unknown>>

  private constructor(parts: EditorParts) {
    this.#home = parts.home
    this.folder = parts.folder
    this.#server = parts.server
    this.#browser = parts.browser
    this.page = parts.page
    this.agent = new ToolCaller(socketIn(parts.home, parts.folder))
    this.settings = parts.settings
  }

  /** Starts it with an open folder, connected to the daemon of this instance. */
  static async open(instance: Instance, more: Readonly<Record<string, unknown>> = {}): Promise<Editor> {
    installEditor()
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build-vsix.ts'], { stdio: 'ignore' })
    const home = mkdtempSync(join(tmpdir(), 'agentpty-vscode-'))
    const folder = join(home, 'work')
    for (const name of ['work', 'data/User', 'data/Machine', 'extensions'])
      mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify({ ...settings, ...more }))
    writeFileSync(
      join(home, 'data/Machine/settings.json'),
      JSON.stringify({ 'agentpty.path': wrapper(home, instance) }),
    )
    const PATH = `${resolve(editorNode, '..')}:${process.env['PATH'] ?? ''}`
    const env = { ...instance.env, PATH, [socketsVariable]: home }
    const own = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')]
    for (const file of [vsix, writeToolCaller(home)])
      execFileSync(editorNode, [editorEntry, ...own, '--install-extension', file], { env, stdio: 'ignore' })
    const port = await freePort()
    const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust']
    const server = spawn(
      editorNode,
      [editorEntry, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...own, ...quiet].concat([
        '--disable-getting-started-override',
        '--reconnection-grace-time',
        '15',
        folder,
      ]),
      { env, stdio: 'ignore', detached: true },
    )
    await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok === true)
    const browser = await launchBrowser()
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const editor = new Editor({ home, folder, server, browser, page, settings: more })
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`)
    await editor.untilConnected()
    return editor
  }

  /** Opens another window of the same editor, with its own folder next to the first one's. */
  async openWindow(name: string): Promise<Editor> {
    const folder = join(this.#home, name)
    mkdirSync(folder)
    const page = await this.page.context().newPage()
    const parts = { home: this.#home, server: this.#server, browser: this.#browser, settings: this.settings }
    const window = new Editor({ ...parts, folder, page })
    await page.goto(`${new URL(this.page.url()).origin}/?folder=${folder}`)
    await window.untilConnected()
    return window
  }

  /** Finds a notification that contains this text. */
  notification(text: string) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first()
  }

  /** Confirms an action of an agent, as a person does. */
  async confirm(title: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box', { hasText: title })
    await dialog.getByText('Yes', { exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async untilConnected(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 })
    const status = this.page.locator('.statusbar-item[id*="agentpty.status"]')
    await status.filter({ hasText: /\d/ }).waitFor({ timeout: 60_000 })
  }

  /** Sets the folder's settings. They apply once the editor has noticed the changed file. */
  set(own: Readonly<Record<string, unknown>>): void {
    mkdirSync(join(this.folder, '.vscode'), { recursive: true })
    writeFileSync(join(this.folder, '.vscode/settings.json'), JSON.stringify(own))
  }

  /** Shows the view of terminals and open requests. */
  async showView(): Promise<void> {
    if (await this.row('Terminals Section').isVisible()) return
    await this.page.locator('.activitybar .action-label[aria-label^="agentpty"]').first().click({ force: true })
    await this.row('Terminals Section').waitFor()
  }

  row(name: string) {
    return this.page.locator(`[aria-label^="${name}"]`).first()
  }

  /** A row of *Needs You*, by its question. */
  needs(question: string) {
    const view = this.page.locator('.part.sidebar .pane', { hasText: 'Needs You' })
    return view.locator('.monaco-list-row', { hasText: question }).first()
  }

  /** A row of the tree, by the name of its terminal. */
  inTree(name: string) {
    return this.page.locator('.part.sidebar .monaco-list-row', { hasText: name }).first()
  }

  /** Moves the mouse away, because the hover of another row would cover this one. */
  async clickInTree(name: string, button: 'left' | 'right' = 'left'): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 }
    await this.page.mouse.move(width / 2, height / 4)
    await this.page.locator('.workbench-hover').first().waitFor({ state: 'hidden' })
    await this.inTree(name).click({ button })
  }

  /** The text and scrollback of the terminal in front, read from its emulator. */
  shown(): Promise<string> {
    return this.lastLines(Number.MAX_SAFE_INTEGER)
  }

  async lastLines(count: number): Promise<string> {
    return await this.page.evaluate((most) => {
      const active = document.querySelector('.terminal-wrapper.active') as unknown as {
        xterm?: { raw?: unknown }
      } | null
      const emulator = (active?.xterm ?? null) as {
        buffer: { active: { length: number; getLine(row: number): { translateToString(trim: boolean): string } } }
      } | null
      if (emulator === null) return ''
      const { active: buffer } = emulator.buffer
      const rows = Array.from(
        { length: Math.min(most, buffer.length) },
        (_, row) => row + Math.max(0, buffer.length - most),
      )
      return rows.map((row) => buffer.getLine(row).translateToString(true)).join('\n')
    }, count)
  }

  async untilShown(text: string): Promise<void> {
    await until(async () => (await this.shown()).includes(text))
  }

  command(title: string): Promise<void> {
    return this.pick('F1', title)
  }

  /** Picks a row of the list that a key opens: a command by F1, a file by Control+p. */
  async pick(key: string, title: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input')
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first()
    // The list closes again when a view that is still loading takes the focus.
    await until(async () => {
      await this.page.keyboard.press(key)
      return input
        .waitFor({ timeout: 2_000 })
        .then(() => this.page.keyboard.type(title))
        .then(() => row.waitFor({ timeout: 5_000 }))
        .then(
          () => true,
          () => this.page.keyboard.press('Escape').then(() => false),
        )
    })
    await this.page.keyboard.press('Enter')
  }

  /** For a failed test: a picture in the folder `build/vscode`, and the text of the window. */
  async report(name: string): Promise<string> {
    const file = join('build/vscode', `${name.replace(/\W+/g, '-').slice(0, 80)}.png`)
    await this.page.screenshot({ path: file })
    const text = await this.page.locator('body').ariaSnapshot()
    return `\n${name}\nthe window (${file}):\n${text.slice(0, 6_000)}\n`
  }

  async close(): Promise<void> {
    await this.#browser.close()
    assert.ok(this.#server.pid)
    const ended = new Promise((resolve) => this.#server.once('exit', resolve))
    process.kill(-this.#server.pid, 'SIGKILL')
    await ended
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The command with which the extension starts a daemon. */
function wrapper(home: string, { env }: Instance): string {
  const file = join(home, 'agentpty')
  const own = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`)
  writeFileSync(file, `#!/bin/sh\n${own.join('\n')}\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(file, 0o755)
  return file
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
