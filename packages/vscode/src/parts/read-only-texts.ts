/** Text in a tab of the editor that cannot be edited, and needs no question when it is closed. */

import * as vscode from 'vscode'

const scheme = 'agentpty-text'

/** One text at a time: the next one takes its tab. */
export class ReadOnlyTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changes.event
  readonly #registered: vscode.Disposable
  #text = ''

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this)
  }

  dispose(): void {
    this.#registered.dispose()
    this.#changes.dispose()
  }

  provideTextDocumentContent(): string {
    return this.#text
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', ' ')}` })
    this.#text = text
    this.#changes.fire(uri)
    const document = await vscode.workspace.openTextDocument(uri)
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true })
  }
}
