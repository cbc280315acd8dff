/** JSON over HTTP, as doors take and give it that are no toolset. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidInput, messageBytesMax, TermError } from '@agentpty/protocol'

export type DoorRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The body of a request. Errors: `message_too_large`. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    // The rest is read all the same: a client that is cut off while it writes does not get to read the error.
    if (size <= messageBytesMax) parts.push(part)
  }
  if (size <= messageBytesMax) return Buffer.concat(parts)
  throw new TermError('message_too_large', `A request may have ${messageBytesMax} bytes.`, 'Send it in parts.')
}

/** A body that is empty or `null` is an empty object. Errors: `message_too_large`, `invalid_input`. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request)).toString('utf8').trim()
  try {
    return text === '' ? {} : (JSON.parse(text) ?? {})
  } catch (error) {
    throw invalidInput(`The body is no JSON: ${String(error)}.`, 'Send an object as application/json.')
  }
}

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
