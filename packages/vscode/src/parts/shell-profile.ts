/** A person's new terminal, owned by the daemon: it outlives the window, and agents can be given access. */

import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import { notConnected } from '../link/connect.ts'
import type { Observable } from '../link/observable.ts'
import type { Tabs } from '../terminals/tabs.ts'

export interface ShellParts {
  readonly client: Observable<WireClient | null>
  /** Null while connected to another machine. */
  readonly ownClient: Observable<WireClient | null>
  readonly tabs: Tabs
}

export function provideShellProfile(parts: ShellParts): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider('agentpty.shell', {
    provideTerminalProfile: async () => new vscode.TerminalProfile(await openShell(parts)),
  })
}

/** `folder`: null for the folder of this window. Errors: no connection, and those of `create`. */
export async function openShell(
  { client, ownClient, tabs }: ShellParts,
  folder: string | null = null,
): Promise<vscode.ExtensionTerminalOptions> {
  const open = client.peek()
  if (open === null) throw notConnected()
  const isHere = ownClient.peek() !== null
  const cwd = isHere ? (folder ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath) : undefined
  return tabs.opening(async () => {
    const { terminalId } = await open.call('create', { waitFor: 'none', ...(cwd === undefined ? {} : { cwd }) })
    return { name: terminalId, pty: tabs.ptyFor(terminalId), isTransient: true }
  })
}
