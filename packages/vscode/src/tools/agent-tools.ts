/** The way in which agents of the editor get tools. Only one way, because two would list each tool twice. */

import * as vscode from 'vscode'

export function toolsAreGivenBy(way: 'editor' | 'mcp'): boolean {
  const wanted = vscode.workspace.getConfiguration('agentpty').get<string>('agentTools', 'editor')
  return wanted === way || wanted === 'both'
}
