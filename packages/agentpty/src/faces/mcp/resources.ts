/** Terminals as resources: what stands on a screen now, and all that was printed. */

import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Client } from '../../contracts/client.ts'
import { isTermError } from '../../contracts/errors.ts'
import { outputBytesMax } from '../../contracts/limits.ts'
import type { ResourceWatcher } from './resource-watcher.ts'
import { parseTerminalUri, terminalPartNames, terminalParts, terminalUri } from './terminal-uri.ts'
import { viewContents, viewUri } from './view.ts'

const mimeType = 'text/plain'

export interface ResourceOptions {
  readonly client: Client
  /** Tells of changes. */
  readonly watcher: ResourceWatcher
  /** The page that shows a terminal. */
  readonly view: () => Promise<string>
}

/** Gives a server the terminals of `client` as resources. */
export function addResources(server: Server, { client, watcher, view }: ResourceOptions): void {
  server.setRequestHandler('resources/list', async () => {
    watcher.listed()
    return { resources: await listResources(client) }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (uri === viewUri) return { contents: [viewContents(await view())] }
    watcher.read(uri)
    return { contents: [{ uri, mimeType, text: await readResource(client, uri) }] }
  })
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    watcher.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watcher.remove(uri)
    return {}
  })
}

const templates = terminalPartNames.map((part) => ({
  uriTemplate: `terminal://{terminalId}/${part}`,
  name: `terminal ${part}`,
  description: terminalParts[part],
  mimeType,
}))

async function listResources(client: Client) {
  const { terminals } = await client.call('list', {})
  return terminals.flatMap(({ terminalId, name, command }) =>
    terminalPartNames.map((part) => ({
      uri: terminalUri(terminalId, part),
      name: `${name ?? terminalId} ${part}`,
      description: `${terminalParts[part]}: ${command}`,
      mimeType,
    })),
  )
}

async function readResource(client: Client, uri: string): Promise<string> {
  const { terminalId, part } = parseTerminalUri(uri)
  try {
    if (part === 'screen') return (await client.call('screenshot', { terminalId })).screen
    return (await client.call('read', { terminalId, maxBytes: outputBytesMax })).output
  } catch (error) {
    if (isTermError(error) && error.code === 'session_not_found') throw new ResourceNotFoundError(uri, error.message)
    throw error
  }
}
