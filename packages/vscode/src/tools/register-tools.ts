/**
 * Tools for agents of the editor, without MCP and without a file. Each calls the daemon's tool of the same name over an agent's connection, so
 * the policy, approvals, take-overs and masks apply as for other clients.
 */

import { type Client, type Clock, isTermError } from '@agentpty/protocol'
import { nameOf, type Overview } from '@agentpty/protocol/overview'
import type { JsonObject } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { withApproval } from './approval.ts'
import { type PlaceOf, type Prepared, prepare } from './confirmation.ts'
import { editorName, inEditorNames, type OfferedTool, offeredTools } from './editor-tools.ts'

export interface ToolParts {
  /** An agent's connection, never a person's. */
  readonly openClient: () => Promise<Client>
  readonly overview: Observable<Overview | null>
  readonly clock: Clock
}

export function registerTools(parts: ToolParts): vscode.Disposable {
  const { overview } = parts
  const placeOf: PlaceOf = (id) => {
    const row = overview.peek()?.rows.find(({ terminalId, name }) => terminalId === id || name === id)
    return row === undefined ? null : { name: nameOf(row), cwd: row.cwd }
  }
  const registered = offeredTools.map((tool) =>
    vscode.lm.registerTool<JsonObject>(editorName(tool), {
      prepareInvocation: ({ input }) => asPrepared(prepare(tool, input, placeOf)),
      invoke: ({ input }, token) =>
        answer(() => withApproval(parts, token, () => callTool(parts, { tool, input }, token))),
    }),
  )
  return vscode.Disposable.from(...registered)
}

export function asPrepared({ doing, confirm }: Prepared): vscode.PreparedToolInvocation {
  if (confirm === null) return { invocationMessage: doing }
  const { title, body } = confirm
  return { invocationMessage: doing, confirmationMessages: { title, message: new vscode.MarkdownString(body) } }
}

async function callTool(
  { openClient }: ToolParts,
  { tool, input }: { readonly tool: OfferedTool; readonly input: JsonObject },
  token: vscode.CancellationToken,
): Promise<string> {
  const abort = new AbortController()
  const heard = token.onCancellationRequested(() => abort.abort())
  if (token.isCancellationRequested) abort.abort()
  try {
    const client = await openClient()
    return (await client.tools.call('terminal', tool, input, { signal: abort.signal })).text
  } finally {
    heard.dispose()
  }
}

/** Returns errors in the same form as MCP, so that a model can read the next step. */
export async function answer(call: () => Promise<string>): Promise<vscode.LanguageModelToolResult> {
  const text = await call().catch((error: unknown) => {
    if (!isTermError(error)) throw error
    const { code, message, hint } = error
    return JSON.stringify({ code, message: inEditorNames(message), hint: inEditorNames(hint) })
  })
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)])
}
