/** In which way agents of the editor are given tools: both ways at once would show them each tool twice. */

import * as vscode from 'vscode'

export function toolsAreGivenBy(way: 'editor' | 'mcp'): boolean {
  const wanted = vscode.workspace.getConfiguration('agentpty').get<string>('agentTools', 'editor')
  return wanted === way || wanted === 'both'
}
