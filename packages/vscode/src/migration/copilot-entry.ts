/**
 * Somebody comes from terminal-agent, whose server took calls without a token. Ours takes none without: so a person is asked once whether
 * Copilot CLI's entry may be brought up to date. It is written by `agentpty init`, which leaves what it cannot read alone, and undone by it.
 */

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Held } from '../link/held.ts'
import type { RunProgram } from '../link/run-program.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import { type EntryState, entryState, moveFor, serverName } from './copilot-state.ts'
import { oldSettings } from './old-settings.ts'

export interface CopilotEntryParts {
  readonly client: Held<WireClient | null>
  readonly tokenFile: string
  readonly run: RunProgram
  readonly memory: vscode.Memento
  readonly log: (line: string) => void
  readonly file?: string
}

const [agreedKey, refusedKey, theirsKey] = [
  'agentpty.copilotEntry.agreed',
  'agentpty.copilotEntry.refused',
  'agentpty.copilotEntry.theirsWasHere',
]
const about = ['init', '--client', 'copilot', '--toolset', serverName, '--yes', '--json']

export class CopilotEntry implements vscode.Disposable {
  readonly #parts: CopilotEntryParts
  readonly #file: string
  readonly #stops: (() => void)[]
  #isLooking = false
  /** In this window. */
  #wasAsked = false
  #told: EntryState | null = null

  constructor(parts: CopilotEntryParts) {
    this.#parts = parts
    this.#file = parts.file ?? join(homedir(), '.copilot', 'mcp-config.json')
    const heard = [
      vscode.extensions.onDidChange(() => void this.look()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.look()),
    ]
    this.#stops = [parts.client.subscribe(() => void this.look()), ...heard.map((one) => () => void one.dispose())]
  }

  dispose(): void {
    for (const stop of this.#stops) stop()
  }

  /** Errors are told, and nothing is changed then. */
  async look(): Promise<void> {
    // One at a time: a question stays open for as long as a person lets it.
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#look()
    } catch (error) {
      this.#parts.log(`${this.#file} is left as it is: ${wordsOf(error)}`)
    } finally {
      this.#isLooking = false
    }
  }

  async #look(): Promise<void> {
    const { client, tokenFile, memory, log } = this.#parts
    const status = await client.peek()?.control.status()
    if (!status?.http || oldSettings().autoRegister === false) return
    const state = entryState(this.#text(), { url: status.http.url, token: readFileSync(tokenFile, 'utf8').trim() })
    if (state === 'malformed' && this.#told !== state) log(`${this.#file} cannot be read as JSON; it is left alone.`)
    this.#told = state
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
    const [yes, no] = ['Update the Entry', 'Don’t Ask Again']
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

  /** False when it could not be. Said where nobody was asked just now. */
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

  /** As it was before; nobody is asked again. */
  async undo(): Promise<void> {
    const { memory, run } = this.#parts
    await memory.update(agreedKey, false)
    await memory.update(refusedKey, true)
    await run([...about, '--undo'])
    void vscode.window.showInformationMessage(`${this.#file} is as it was before.`)
  }
}

/** By its name, whoever has published it. */
function isInstalled(): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => packageJSON?.name === serverName)
}

function question(file: string, state: EntryState, isTheirsHere: boolean): string {
  const why =
    state === 'stale'
      ? `${file} names an address of ${serverName} that agentpty does not have now, or an old token.`
      : `Copilot CLI finds ${serverName} by an entry without a token, which agentpty does not answer.`
  const then = isTheirsHere ? ' Uninstall terminal-agent afterwards.' : ''
  return `${why} May agentpty write its address and its token into that entry, and keep them right? Its tools stay as they were, and it can be undone.${then}`
}
