/** Terminals as resources: the screen now, all that was printed, and that as a recording. */

import { isTermError, outputBytesMax, type ServerClient } from '@agentpty/protocol'
import { gapLines } from '@agentpty/protocol/call'
import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { ResourceWatcher } from './resource-watcher.ts'
import {
  parseTerminalUri,
  type TerminalPart,
  terminalPartNames,
  terminalParts,
  terminalUri,
  viewContents,
  viewUri,
} from './terminal-uri.ts'

const mimeTypes: Readonly<Record<TerminalPart, string>> = {
  screen: 'text/plain',
  log: 'text/plain',
  recording: 'application/x-asciicast',
}

export interface ResourceOptions {
  readonly client: ServerClient
  readonly watcher: ResourceWatcher
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
    const { terminalId, part } = parseTerminalUri(uri)
    const text = await known(uri, () => readers[part](client, terminalId))
    return { contents: [{ uri, mimeType: mimeTypes[part], text }] }
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
  mimeType: mimeTypes[part],
}))

async function listResources(client: ServerClient) {
  const { terminals } = await client.call('list', {})
  return terminals.flatMap(({ terminalId, name, command }) =>
    terminalPartNames.map((part) => ({
      uri: terminalUri(terminalId, part),
      name: `${name ?? terminalId} ${part}`,
      description: `${terminalParts[part]}: ${command}`,
      mimeType: mimeTypes[part],
    })),
  )
}

const readers: Readonly<Record<TerminalPart, (client: ServerClient, terminalId: string) => Promise<string>>> = {
  screen: async (client, terminalId) => (await client.call('screenshot', { terminalId })).screen,
  log: async (client, terminalId) => {
    const read = await client.call('read', { terminalId, maxBytes: outputBytesMax })
    return `${gapLines(read)}${read.output}`
  },
  recording: async (client, terminalId) => (await client.call('recording', { terminalId })).recording,
}

/** An unknown terminal is an unknown resource. */
async function known(uri: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    if (isTermError(error) && error.code === 'session_not_found') throw new ResourceNotFoundError(uri, error.message)
    throw error
  }
}
