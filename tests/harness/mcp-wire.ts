/** Revision 2026-07-28 without a client library: the raw messages over stdio and over HTTP. */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Instance, program } from './instance.ts'
import { envelope, type Message } from './mcp-messages.ts'

export interface Wire {
  /** The answer: a result or an error. */
  request(method: string, params: object, capabilities?: object): Promise<Message>
  /** All messages of a subscription in order, with its answer at the end. */
  listen(notifications: object, capabilities?: object): { next(): Promise<Message>; end(): void }
  close(): void
}

export const knowsTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

const revision = '2026-07-28'
let lastId = 0

function requestOf(method: string, params: object, capabilities: object) {
  return { jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta: envelope(revision, capabilities) } }
}

/** A queue of incoming messages; an early reader waits. */
class Inbox {
  readonly #messages: Message[] = []
  #waiting: ((message: Message) => void)[] = []

  put(message: Message): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#messages.push(message)
    else waiting(message)
  }

  next(): Promise<Message> {
    const message = this.#messages.shift()
    return message === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(message)
  }
}

export function overStdio(instance: Instance): Wire {
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { ...instance.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const inboxes = new Map<unknown, Inbox>()
  const inboxOf = (id: unknown) => {
    const known = inboxes.get(id) ?? new Inbox()
    inboxes.set(id, known)
    return known
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    inboxOf(message.id ?? message.params?._meta?.['io.modelcontextprotocol/subscriptionId']).put(message)
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    request: (method, params, capabilities = {}) => {
      const request = requestOf(method, params, capabilities)
      send(request)
      return inboxOf(request.id).next()
    },
    listen: (notifications, capabilities = {}) => {
      const request = requestOf('subscriptions/listen', { notifications }, capabilities)
      send(request)
      const params = { requestId: request.id, _meta: request.params._meta }
      return {
        next: () => inboxOf(request.id).next(),
        end: () => void send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }),
      }
    },
    close: () => child.stdin.end(),
  }
}

export interface RawRequest {
  readonly method: string
  readonly params?: object
}

/** A raw request, with the headers that must repeat its content. */
function post(url: string, token: string, request: RawRequest, signal?: AbortSignal): Promise<Response> {
  const { name, taskId, uri } = (request.params ?? {}) as { name?: string; taskId?: string; uri?: string }
  const named = name ?? taskId ?? uri
  return fetch(url, {
    method: 'POST',
    body: JSON.stringify(request),
    signal: signal ?? null,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': request.method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
    },
  })
}

/** The answer to a request, without the notifications before it. */
export async function postRaw(url: string, token: string, request: RawRequest, signal?: AbortSignal): Promise<Message> {
  const inbox = new Inbox()
  await readInto(inbox, await post(url, token, request, signal))
  let message = await inbox.next()
  while (message.id === undefined) message = await inbox.next()
  return message
}

export async function overHttp(instance: Instance): Promise<Wire> {
  const { http } = await instance.status()
  const token = await instance.token()
  const url = `${http?.url}/mcp`
  const open = new AbortController()
  return {
    request: (method, params, capabilities = {}) =>
      postRaw(url, token, requestOf(method, params, capabilities), open.signal),
    listen: (notifications, capabilities = {}) => {
      const ended = new AbortController()
      const inbox = new Inbox()
      const request = requestOf('subscriptions/listen', { notifications }, capabilities)
      post(url, token, request, AbortSignal.any([open.signal, ended.signal]))
        .then((response) => readInto(inbox, response))
        .catch((error: unknown) => {
          if (!open.signal.aborted && !ended.signal.aborted) throw error
        })
      return { next: () => inbox.next(), end: () => ended.abort() }
    },
    close: () => open.abort(),
  }
}

/** Parses a body that is one message, or a stream of them. */
async function readInto(inbox: Inbox, response: Response): Promise<void> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    inbox.put((await response.json()) as Message)
    return
  }
  let text = ''
  for await (const part of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) inbox.put(JSON.parse(line.slice('data: '.length)))
  }
}
