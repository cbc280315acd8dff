/** Agents of the editor get agentpty's tools, by address and token, with nothing written into anybody's files. */

import { readFileSync } from 'node:fs'
import * as vscode from 'vscode'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import type { Held } from '../link/held.ts'

export function provideMcpServer(client: Held<WireClient | null>, tokenFile: string): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>()
  const stop = client.subscribe(() => changes.fire())
  const provider = vscode.lm.registerMcpServerDefinitionProvider('agentpty', {
    onDidChangeMcpServerDefinitions: changes.event,
    provideMcpServerDefinitions: async () => {
      const status = await client.peek()?.control.status()
      if (!status?.http) return []
      const token = readFileSync(tokenFile, 'utf8').trim()
      const address = vscode.Uri.parse(`${status.http.url}/mcp`)
      const headers = { Authorization: `Bearer ${token}` }
      return [new vscode.McpHttpServerDefinition('agentpty', address, headers, status.daemon.version)]
    },
  })
  return {
    dispose: () => {
      stop()
      provider.dispose()
      changes.dispose()
    },
  }
}
