/**
 * The folder of a client, for terminals that it opens over HTTP: its process is unknown there, but most clients name
 * the folders that they are open in when they are asked.
 */

import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rootsAnswerMs } from '@agentpty/protocol'
import { toolVerbs } from '@agentpty/protocol/verbs'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { type InputRequiredResult, inputRequired, type ServerContext } from '@modelcontextprotocol/server'

/** Tools that open a terminal in a folder. */
const openers = new Set(Object.values(toolVerbs).flatMap(({ tool, opensTerminal }) => (opensTerminal ? [tool] : [])))

export interface FolderQuestion {
  readonly context: ServerContext
  /** The capabilities that the client has declared. */
  readonly capabilities: unknown
}

export interface ToolInput {
  readonly name: string
  readonly arguments?: Record<string, unknown> | undefined
}

/** The call with the client's folder added, unless it names one; or the question for the folder. */
export async function inClientFolder<Call extends ToolInput>(
  call: Call,
  { context, capabilities }: FolderQuestion,
): Promise<Call | InputRequiredResult> {
  const { name, arguments: input = {} } = call
  const isAsked = openers.has(name) && input['cwd'] === undefined && input['terminalId'] === undefined
  if (!isAsked || !isObject(capabilities) || !isObject(capabilities['roots'])) return call
  const { envelope, inputResponses } = context.mcpReq
  const isNewEra = envelope !== undefined
  // In the new era a client repeats its request, with its answer.
  if (isNewEra && inputResponses?.['roots'] === undefined)
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  const cwd = folderIn(isNewEra ? inputResponses?.['roots'] : await rootsOf(context))
  return cwd === null ? call : { ...call, arguments: { ...input, cwd } }
}

async function rootsOf({ mcpReq }: ServerContext): Promise<unknown> {
  try {
    return await mcpReq.send({ method: 'roots/list' }, { timeout: rootsAnswerMs })
  } catch {
    // When a client names no folder its terminal opens at home.
    return null
  }
}

/** The first folder that is on this machine. */
function folderIn(answer: unknown): string | null {
  const roots: unknown = isObject(answer) ? answer['roots'] : null
  const uris = Array.isArray(roots) ? roots.map((root: JsonObject) => root['uri']) : []
  return uris.map(folderAt).find((folder) => folder !== null) ?? null
}

function folderAt(uri: unknown): string | null {
  try {
    const path = fileURLToPath(String(uri))
    return statSync(path).isDirectory() ? path : null
  } catch {
    // The address is not that of a file, or is one of another machine.
    return null
  }
}
