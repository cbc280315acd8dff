/**
 * Offers agentpty's tools to agents of the editor as an MCP server, by address and token, without writing any file. The server stays in the
 * editor's list while the daemon is replaced. A daemon at another address is reported as a change.
 */

import { readFileSync } from 'node:fs'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import { toolsAreGivenBy } from '../tools/agent-tools.ts'

export interface McpProviderParts {
  readonly client: Observable<WireClient | null>
  readonly tokenFile: string
  readonly log: (line: string) => void
}

interface Served {
  readonly url: string
  readonly token: string
  readonly version: string
}

export function provideMcpServer({ client, tokenFile, log }: McpProviderParts): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>()
  let known: Served | null = null
  const look = async () => {
    try {
      const status = await client.peek()?.control.status()
      if (status === undefined) return
      const { http, daemon } = status
      const token = http === null ? '' : readFileSync(tokenFile, 'utf8').trim()
      const now = http === null ? null : { url: http.url, token, version: daemon.version }
      const isSame = JSON.stringify(now) === JSON.stringify(known)
      known = now
      if (!isSame) changes.fire()
    } catch (error) {
      log(`the tools of agentpty cannot be offered as an MCP server: ${wordsOf(error)}`)
    }
  }
  const stop = client.subscribe(() => void look())
  const heard = vscode.workspace.onDidChangeConfiguration(
    (change) => change.affectsConfiguration('agentpty.agentTools') && changes.fire(),
  )
  const provider = vscode.lm.registerMcpServerDefinitionProvider('agentpty', {
    onDidChangeMcpServerDefinitions: changes.event,
    provideMcpServerDefinitions: async () => {
      if (!toolsAreGivenBy('mcp')) return []
      await look()
      return known === null ? [] : [definitionOf(known)]
    },
  })
  return {
    dispose: () => {
      stop()
      heard.dispose()
      provider.dispose()
      changes.dispose()
    },
  }
}

function definitionOf({ url, token, version }: Served): vscode.McpHttpServerDefinition {
  const headers = { Authorization: `Bearer ${token}` }
  return new vscode.McpHttpServerDefinition('agentpty', vscode.Uri.parse(`${url}/mcp`), headers, version)
}
