/** The open detail views: one editor tab each, restored after a reload. */

import { randomBytes } from 'node:crypto'
import { outputBytesMax } from '@agentpty/protocol'
import { outputGaps } from '@agentpty/protocol/call'
import { entryName } from '@agentpty/protocol/overview'
import * as vscode from 'vscode'
import { wordsOf } from '../terminals/session-terminal.ts'
import { DetailsFeed, type DetailsSources } from './details-feed.ts'
import { detailsHtml, frameHtml } from './details-html.ts'

const viewType = 'agentpty.details'

/** The commands that its buttons may run. Program output cannot add to them. */
const offered: ReadonlySet<string> = new Set(
  ['open', 'take', 'release', 'answerTerminal', 'retry', 'stop', 'renameNode', 'moveTo', 'removeNode', 'close'].map(
    (name) => `agentpty.${name}`,
  ),
)

/** The state that a view has stored. */
interface Restored {
  readonly id: unknown
  readonly machine: unknown
}

/** A message of the view: the data of the pressed button. */
type Pressed = Readonly<Partial<Record<'ready' | 'do' | 'open' | 'copy' | 'end' | 'older', string>>>

export interface DetailsPanelsParts extends DetailsSources {
  /** Returns the machine of this window; null: this one. */
  readonly at: () => string | null
}

export class DetailsPanels implements vscode.Disposable {
  readonly #sources: DetailsPanelsParts
  readonly #folder: vscode.Uri
  readonly #open = new Map<string, vscode.WebviewPanel>()
  readonly #registered: vscode.Disposable
  #machine: string | null

  /** `folder`: the folder of the extension. */
  constructor(sources: DetailsPanelsParts, folder: vscode.Uri) {
    this.#sources = sources
    this.#machine = sources.at()
    this.#folder = folder
    this.#registered = vscode.Disposable.from(
      vscode.commands.registerCommand('agentpty.details', (called?: { readonly id: string }) => this.#ask(called)),
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel, state: unknown) => this.#restore(panel, state),
      }),
    )
  }

  dispose(): void {
    this.#registered.dispose()
    for (const panel of [...this.#open.values()]) panel.dispose()
  }

  /** To be called before connecting to another machine, where the same ids name other terminals. */
  enter(machine: string | null): void {
    if (machine === this.#machine) return
    for (const panel of [...this.#open.values()]) panel.dispose()
    this.#machine = machine
  }

  show(id: string): void {
    const known = this.#open.get(id)
    if (known !== undefined) known.reveal()
    else
      this.#fill(vscode.window.createWebviewPanel(viewType, id, vscode.ViewColumn.Active, { enableScripts: true }), id)
  }

  async #ask(called: { readonly id: string } | undefined): Promise<void> {
    const { tree } = this.#sources
    const id = called?.id ?? tree.selected?.id
    if (id !== undefined) return this.show(id)
    const picks = tree.all.map((entry) => ({ label: entryName(entry), id: entry.id }))
    const chosen = await vscode.window.showQuickPick(picks, {
      title: 'agentpty: show details of which terminal or group?',
    })
    if (chosen !== undefined) this.show(chosen.id)
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const { id, machine = null } = typeof state === 'object' && state !== null ? (state as Partial<Restored>) : {}
    const isOurs = typeof id === 'string' && machine === this.#machine
    if (isOurs && !this.#open.has(id)) this.#fill(panel, id)
    else panel.dispose()
  }

  #fill(panel: vscode.WebviewPanel, id: string): void {
    this.#open.set(id, panel)
    const { webview } = panel
    const post = (message: object) => void webview.postMessage(message)
    const feed = new DetailsFeed(id, this.#sources, (details) => {
      if (details !== null) panel.title = entryName(details.entry)
      post({ id, machine: this.#machine, html: details === null ? goneHtml : detailsHtml(details) })
    })
    webview.options = { enableScripts: true, localResourceRoots: [this.#folder] }
    webview.onDidReceiveMessage((pressed: Pressed) => void this.#pressed(pressed, feed, post))
    panel.onDidChangeViewState(() => {
      feed.isVisible = panel.visible
    })
    panel.onDidDispose(() => {
      feed.close()
      this.#open.delete(id)
    })
    webview.html = frameHtml({
      script: webview.asWebviewUri(vscode.Uri.joinPath(this.#folder, 'details.js')).toString(),
      nonce: randomBytes(16).toString('base64url'),
      title: id,
    })
  }

  async #pressed(pressed: Pressed, feed: DetailsFeed, post: (message: object) => void): Promise<void> {
    const { ready, do: command = '', open, copy, end, older } = pressed
    try {
      if (ready !== undefined) feed.show()
      if (open !== undefined) this.show(open)
      if (older !== undefined) await feed.showOlder()
      if (copy !== undefined) post({ said: await this.#copy(feed.id, Number(copy), end) })
      const entry = this.#sources.tree.all.find(({ id }) => id === feed.id)
      if (offered.has(`agentpty.${command}`) && entry !== undefined)
        await vscode.commands.executeCommand(`agentpty.${command}`, entry)
    } catch (error) {
      post({ said: wordsOf(error) })
    }
  }

  /** Copies the output of a command from the daemon's log. Returns the message to show. */
  async #copy(terminalId: string, since: number, end: string | undefined): Promise<string> {
    const client = this.#sources.client.peek()
    if (client === null) return 'agentpty is not connected. Nothing was copied.'
    const until = end === undefined || end === '' ? {} : { until: Number(end) }
    const read = await client.call('read', {
      terminalId,
      since,
      maxBytes: outputBytesMax,
      ...until,
    })
    await vscode.env.clipboard.writeText(read.output)
    return ['Copied its output.', ...outputGaps(read)].join(' ')
  }
}

const goneHtml = '<p class="quiet">It is not there any more. What it has recorded is in the page, under Recordings.</p>'
