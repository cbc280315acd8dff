/**
 * Updates Copilot CLI's entry for former users of terminal-agent, whose server needed no token. agentpty requires one, so the person is asked
 * once. `agentpty init` writes the entry, leaves unreadable files alone, and can undo it.
 */

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import type { RunProgram } from '../link/run-program.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import { type EntryState, entryState, moveFor, serverName } from './copilot-state.ts'
import { oldSettings } from './old-settings.ts'

export interface CopilotEntryParts {
  readonly client: Observable<WireClient | null>
  readonly tokenFile: string
  readonly run: RunProgram
  readonly memory: vscode.Memento
  readonly log: (line: string) => void
  readonly file?: string
}

const agreedKey = 'agentpty.copilotEntry.agreed'
const refusedKey = 'agentpty.copilotEntry.refused'
const theirsKey = 'agentpty.copilotEntry.theirsWasHere'
const about = ['init', '--client', 'copilot', '--toolset', serverName, '--yes', '--json']

export class CopilotEntry implements vscode.Disposable {
  readonly #parts: CopilotEntryParts
  readonly #file: string
  readonly #stops: (() => void)[]
  #isChecking = false
  /** True if this window has asked. */
  #wasAsked = false
  #reportedState: EntryState | null = null

  constructor(parts: CopilotEntryParts) {
    this.#parts = parts
    this.#file = parts.file ?? join(homedir(), '.copilot', 'mcp-config.json')
    const heard = [
      vscode.extensions.onDidChange(() => void this.check()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.check()),
    ]
    this.#stops = [parts.client.subscribe(() => void this.check()), ...heard.map((one) => () => void one.dispose())]
  }

  dispose(): void {
    for (const stop of this.#stops) stop()
  }

  /** Errors are shown, and then nothing is changed. */
  async check(): Promise<void> {
    // One check at a time, because a question may stay open for long.
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#check()
    } catch (error) {
      this.#parts.log(`${this.#file} is left as it is: ${wordsOf(error)}`)
    } finally {
      this.#isChecking = false
    }
  }

  async #check(): Promise<void> {
    const { client, tokenFile, memory, log } = this.#parts
    const status = await client.peek()?.control.status()
    if (!status?.http || oldSettings().autoRegister === false) return
    const state = entryState(this.#text(), { url: status.http.url, token: readFileSync(tokenFile, 'utf8').trim() })
    if (state === 'malformed' && this.#reportedState !== state)
      log(`${this.#file} cannot be read as JSON; it is left alone.`)
    this.#reportedState = state
    const isTheirsHere = isInstalled()
    const move = moveFor({
      state,
      isTheirsHere,
      isAgreed: memory.get(agreedKey, false),
      wasTheirsHere: memory.get(theirsKey, false),
    })
    if (move === 'write') await this.#write(`${this.#file}: the entry ${serverName} leads to agentpty again.`)
    else if (move === 'ask' && !this.#wasAsked && !memory.get(refusedKey, false)) await this.#ask(state, isTheirsHere)
  }

  #text(): string | null {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }

  async #ask(state: EntryState, isTheirsHere: boolean): Promise<void> {
    const { memory } = this.#parts
    this.#wasAsked = true
    const yes = 'Update the Entry'
    const no = 'Don’t Ask Again'
    const text = question(this.#file, state, isTheirsHere)
    const chosen = await vscode.window.showInformationMessage(text, yes, 'Show File', no)
    if (chosen === 'Show File') await vscode.window.showTextDocument(vscode.Uri.file(this.#file))
    if (chosen === no) await memory.update(refusedKey, true)
    if (chosen !== yes) return
    await memory.update(agreedKey, true)
    await memory.update(theirsKey, isTheirsHere)
    const done = `Copilot CLI’s ${serverName} leads to agentpty now. Sessions of it that run must be started again.`
    if (await this.#write(null)) void this.#offerUndo(done)
  }

  /** Returns false on failure. `said`: the message if the person was not asked just now. */
  async #write(said: string | null): Promise<boolean> {
    const { clients } = await this.#parts.run([...about, '--http'])
    const [change] = Array.isArray(clients) ? clients : []
    if (change?.kind === 'problem') {
      void vscode.window.showWarningMessage(`${this.#file} is left as it is: ${String(change.detail)}.`)
      return false
    }
    this.#parts.log(`${this.#file}: the entry ${serverName} was written by agentpty init`)
    if (said !== null) vscode.window.setStatusBarMessage(said, 15_000)
    return true
  }

  async #offerUndo(done: string): Promise<void> {
    if ((await vscode.window.showInformationMessage(done, 'Undo')) !== 'Undo') return
    try {
      await this.undo()
    } catch (error) {
      void vscode.window.showWarningMessage(wordsOf(error))
    }
  }

  /** Restores the previous entry; the person is not asked again. */
  async undo(): Promise<void> {
    const { memory, run } = this.#parts
    await memory.update(agreedKey, false)
    await memory.update(refusedKey, true)
    await run([...about, '--undo'])
    void vscode.window.showInformationMessage(`${this.#file} was restored.`)
  }
}

/** Matches by name, whatever the publisher. */
function isInstalled(): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => packageJSON?.name === serverName)
}

function question(file: string, state: EntryState, isTheirsHere: boolean): string {
  const why =
    state === 'stale'
      ? `${file} names an address of ${serverName} that agentpty does not have now, or an old token.`
      : `Copilot CLI finds ${serverName} by an entry without a token, which agentpty does not accept.`
  const then = isTheirsHere ? ' Uninstall terminal-agent afterwards.' : ''
  return `${why} May agentpty write its address and its token into that entry, and keep them right? Its tools stay as they were, and it can be undone.${then}`
}
