/** A person's own new terminal that the daemon owns: it outlives the window, and agents can be let into it. */

import * as vscode from 'vscode'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import type { Held } from '../link/held.ts'
import type { Tabs } from '../terminals/tabs.ts'

export interface ShellParts {
  readonly client: Held<WireClient | null>
  /** Null while it is that of another machine. */
  readonly ownClient: Held<WireClient | null>
  readonly tabs: Tabs
}

export function provideShellProfile(parts: ShellParts): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider('agentpty.shell', {
    provideTerminalProfile: async () => new vscode.TerminalProfile(await openShell(parts)),
  })
}

/** Opens a shell in the folder of this window. Errors: that there is no connection, and those of `create`. */
export async function openShell({ client, ownClient, tabs }: ShellParts): Promise<vscode.ExtensionTerminalOptions> {
  const open = client.peek()
  if (open === null) throw new Error('agentpty is not connected. Look at its log: agentpty: Show Log.')
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
  const cwd = ownClient.peek() === null ? undefined : folder
  const { terminalId } = await open.call('create', { waitFor: 'none', ...(cwd === undefined ? {} : { cwd }) })
  return { name: terminalId, pty: tabs.ptyFor(terminalId), isTransient: true }
}
