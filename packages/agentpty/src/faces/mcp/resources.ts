/**
 * Terminals as resources: what stands on a screen now, and all that was printed.
 *
 * Who has subscribed to one is told once that it has changed, and again after having read it: a terminal that prints
 * without end is news only as often as somebody looks.
 */

import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Client, LiveClient } from '../../contracts/client.ts'
import { isTermError, TermError } from '../../contracts/errors.ts'
import { outputBytesMax, subscribersPerSessionMax } from '../../contracts/limits.ts'

const parts = {
  screen: 'What a person would see on it now',
  log: 'All that it has printed, as text',
} as const
type Part = keyof typeof parts

const mimeType = 'text/plain'
const uriOf = (terminalId: string, part: Part) => `terminal://${terminalId}/${part}`
const partNames = Object.keys(parts) as readonly Part[]

/** Gives a server the terminals of `client` as resources; the answer ends its subscriptions. */
export function addResources(server: Server, client: LiveClient): () => void {
  const subscriptions = new Subscriptions(server, client)
  server.setRequestHandler('resources/list', async () => ({ resources: await listResources(client) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    subscriptions.read(uri)
    return { contents: [{ uri, mimeType, text: await readResource(client, uri) }] }
  })
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    subscriptions.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.remove(uri)
    return {}
  })
  return () => subscriptions.end()
}

const templates = partNames.map((part) => ({
  uriTemplate: `terminal://{terminalId}/${part}`,
  name: `terminal ${part}`,
  description: parts[part],
  mimeType,
}))

async function listResources(client: Client) {
  const { terminals } = await client.call('list', {})
  return terminals.flatMap(({ terminalId, name, command }) =>
    partNames.map((part) => ({
      uri: uriOf(terminalId, part),
      name: `${name ?? terminalId} ${part}`,
      description: `${parts[part]}: ${command}`,
      mimeType,
    })),
  )
}

async function readResource(client: Client, uri: string): Promise<string> {
  const { terminalId, part } = parse(uri)
  try {
    if (part === 'screen') return (await client.call('screenshot', { terminalId })).screen
    return (await client.call('read', { terminalId, maxBytes: outputBytesMax })).output
  } catch (error) {
    if (isTermError(error) && error.code === 'session_not_found') throw new ResourceNotFoundError(uri, error.message)
    throw error
  }
}

/** Errors: `ResourceNotFoundError`. */
function parse(uri: string): { readonly terminalId: string; readonly part: Part } {
  const [, terminalId = '', part = ''] = /^terminal:\/\/([^/?#]+)\/([a-z]+)$/.exec(uri) ?? []
  const known = partNames.find((one) => one === part)
  if (known === undefined) throw new ResourceNotFoundError(uri, `There is ${partNames.join(' and ')} of each terminal.`)
  return { terminalId, part: known }
}

class Subscriptions {
  readonly #server: Server
  readonly #client: LiveClient
  readonly #open = new Map<string, { readonly controller: AbortController; isTold: boolean }>()

  constructor(server: Server, client: LiveClient) {
    this.#server = server
    this.#client = client
  }

  add(uri: string): void {
    const { terminalId } = parse(uri)
    if (this.#open.has(uri)) return
    if (this.#open.size >= subscribersPerSessionMax)
      throw new TermError('limit_reached', `${this.#open.size} subscriptions already.`, 'End one of them first.')
    const controller = new AbortController()
    this.#open.set(uri, { controller, isTold: false })
    void this.#follow(uri, terminalId, controller.signal)
  }

  remove(uri: string): void {
    this.#open.get(uri)?.controller.abort()
    this.#open.delete(uri)
  }

  /** Its reader knows how things stand: the next change is news again. */
  read(uri: string): void {
    const subscription = this.#open.get(uri)
    if (subscription !== undefined) subscription.isTold = false
  }

  end(): void {
    for (const uri of [...this.#open.keys()]) this.remove(uri)
  }

  async #follow(uri: string, terminalId: string, signal: AbortSignal): Promise<void> {
    try {
      const { cursor } = await this.#client.call('read', { terminalId, maxBytes: 256 })
      for await (const { type } of this.#client.follow(terminalId, { output: { since: cursor }, signal }))
        if (type === 'output' || type === 'exit') await this.#tell(uri)
    } catch {
      // The terminal is gone, or the connection: a last word to whoever may still listen, and nothing more will come.
      await this.#tell(uri)
    }
    if (!signal.aborted) this.#open.delete(uri)
  }

  async #tell(uri: string): Promise<void> {
    const subscription = this.#open.get(uri)
    if (subscription === undefined || subscription.isTold) return
    subscription.isTold = true
    // Nobody is harmed by a note that its client does not get.
    await this.#server.sendResourceUpdated({ uri }).catch(() => undefined)
  }
}
