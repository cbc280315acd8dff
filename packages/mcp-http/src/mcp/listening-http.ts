/** A connection whose client may listen for what happens to terminals and to tasks. */

import { defined, type Stop, subscriptionsMax } from '@agentpty/protocol'
import { isObject, type JsonObject, parseObject } from '@agentpty/protocol/wire'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InMemoryServerEventBus,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import type { ResourceWatcher } from './resource-watcher.ts'
import type { Task } from './tasks/task.ts'
import { declaresTasks, type Tasks, tasksNeeded } from './tasks/tasks.ts'

interface ListeningOptions {
  readonly tasks: Tasks
  readonly watcher: ResourceWatcher
  /** Makes the library notify every client that listens for it. */
  readonly notify: (uri: string) => void
  /** Called when the connection has ended. */
  readonly closed: () => void
}

interface Listener {
  readonly resources: readonly string[]
  readonly tasks: readonly Task[]
}

export class ListeningTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #inner: Transport
  readonly #options: ListeningOptions
  readonly #listeners = new Map<RequestId, Listener>()
  #stopTasks: Stop = () => {}
  #hearsTasks = false

  constructor(inner: Transport, options: ListeningOptions) {
    this.#inner = inner
    this.#options = options
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => {
      this.#stopTasks()
      this.#options.closed()
      this.onclose?.()
    }
    this.#inner.onerror = (error) => this.onerror?.(error)
    this.#inner.onmessage = (message) => this.#receive(message as JSONRPCMessage)
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#inner.send(withTasks(message, this.#options.tasks))
    const id = subscriptionOf(message)
    if (id !== undefined) this.#catchUp(id)
    // The library has ended the listening, or refused it.
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#remove(message.id)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && message.method === listenMethod) {
      this.#listen(message)
      return
    }
    const cancelled = cancelledIn(message)
    if (cancelled !== undefined) this.#remove(cancelled)
    this.onmessage?.(message)
  }

  #listen(request: JSONRPCRequest): void {
    const { tasks, watcher, notify } = this.#options
    const read = readListen(request, tasks)
    if ('error' in read) {
      void this.#inner.send(read)
      return
    }
    this.#listeners.set(request.id, {
      resources: read.resources.filter((uri) => watcher.tryAdd(uri)),
      tasks: read.tasks,
    })
    if (read.tasks.length > 0 && !this.#hearsTasks) {
      this.#hearsTasks = true
      this.#stopTasks = tasks.listen((task) => notify(taskUri(task)))
    }
    this.onmessage?.(read.message)
  }

  /** Sends the notifications of tasks that ended before the client listened. */
  #catchUp(id: RequestId): void {
    for (const task of this.#listeners.get(id)?.tasks ?? [])
      if (task.status !== 'working') this.#options.notify(taskUri(task))
  }

  #remove(id: RequestId): void {
    for (const uri of this.#listeners.get(id)?.resources ?? []) this.#options.watcher.remove(uri)
    this.#listeners.delete(id)
  }
}

const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number'

function cancelledIn(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return isRequestId(id) ? id : undefined
}

/** The id in the notification that acknowledges a listener. */
function subscriptionOf(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return undefined
  const meta = message.params?._meta
  const id = isObject(meta) ? meta['io.modelcontextprotocol/subscriptionId'] : undefined
  return isRequestId(id) ? id : undefined
}

// Listening over HTTP: each listener has a stream of its own, and all listeners of an address share one watcher.

interface HttpListening {
  readonly tasks: Tasks
  readonly watcher: ResourceWatcher
  readonly bus: InMemoryServerEventBus
}

type Serve = (request: Request) => Promise<Response>

/** Serves requests to listen by `serve`, translated into resources. */
export function listenOverHttp(serve: Serve, { tasks, watcher, bus }: HttpListening): Serve {
  const notify = (uri: string) => bus.publish({ kind: 'resource_updated', uri })
  tasks.listen((task) => notify(taskUri(task)))
  return async (request) => {
    const message = parseObject(await request.clone().text())
    // The library answers with what is wrong.
    if (!isJSONRPCRequest(message)) return serve(request)
    const read = readListen(message, tasks)
    if ('error' in read) return Response.json(read, { status: 400 })
    const response = await serve(withBody(request, read.message))
    if (!isStream(response) || response.body === null) return response
    const watched = read.resources.filter((uri) => watcher.tryAdd(uri))
    const end = () => {
      for (const uri of watched.splice(0)) watcher.remove(uri)
    }
    request.signal.addEventListener('abort', end, { once: true })
    // Tasks that changed before the client listened are notified now.
    for (const task of read.tasks) if (task.status !== 'working') notify(taskUri(task))
    return new Response(response.body.pipeThrough(frames((message) => withTasks(message, tasks), end)), response)
  }
}

function withBody(request: Request, message: JSONRPCRequest): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(message), signal: request.signal })
}

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') ?? false

const lead = 'event: message\ndata: '

/** The library writes one frame at a time; frames without a message keep the stream alive. */
function frames(change: (message: JSONRPCMessage) => JSONRPCMessage, end: () => void) {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const frame = decoder.decode(chunk)
      const message = frame.startsWith(lead) ? parseObject(frame.slice(lead.length)) : null
      const changed = message === null ? frame : `${lead}${JSON.stringify(change(message as JSONRPCMessage))}\n\n`
      controller.enqueue(encoder.encode(changed))
    },
    flush: end,
  })
}

/**
 * `subscriptions/listen` of 2026-07-28, for terminals and for tasks.
 *
 * The library admits, counts, filters and ends such requests, and knows resources but no tasks. So tasks are translated
 * into resources with addresses that no terminal has, and back in what is sent.
 */
export const listenMethod = 'subscriptions/listen'

const taskScheme = 'task:'
const taskUri = ({ taskId }: Task): string => `${taskScheme}${taskId}`

/** A request to listen as the library takes it, and what it subscribes to. */
interface ListenRequest {
  readonly message: JSONRPCRequest
  readonly tasks: readonly Task[]
  readonly resources: readonly string[]
}

/** An error is an answer: the request goes no further. */
function readListen(message: JSONRPCRequest, tasks: Tasks): ListenRequest | JSONRPCErrorResponse {
  const { params = {} } = message
  const asked = isObject(params['notifications']) ? params['notifications'] : {}
  const { taskIds, resourceSubscriptions, ...rest } = asked
  const resources = texts(resourceSubscriptions).filter((uri) => !uri.startsWith(taskScheme))
  const wanted = texts(taskIds)
  const meta: JsonObject = isObject(params['_meta']) ? params['_meta'] : {}
  if (wanted.length > 0 && !declaresTasks(meta[CLIENT_CAPABILITIES_META_KEY])) {
    const { code, message: text, data } = new MissingRequiredClientCapabilityError(tasksNeeded)
    return { jsonrpc: '2.0', id: message.id, error: { code, message: text, data } }
  }
  const known = wanted.map((taskId) => tasks.find(taskId)).filter((task) => task !== undefined)
  const notifications = isObject(params['notifications'])
    ? { ...rest, resourceSubscriptions: [...resources, ...known.map(taskUri)] }
    : params['notifications']
  return { message: { ...message, params: { ...params, notifications } }, tasks: known, resources }
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, subscriptionsMax) : []

/** Translates what the library says of a task's resource into what is said of a task. All else stays. */
function withTasks<Message extends JSONRPCMessage>(message: Message, tasks: Tasks): Message {
  if (!('method' in message) || message.params === undefined) return message
  const { params } = message
  if (message.method === 'notifications/subscriptions/acknowledged')
    return { ...message, params: { ...params, notifications: acknowledged(params['notifications']) } }
  const uri = params['uri']
  if (message.method !== 'notifications/resources/updated' || typeof uri !== 'string' || !uri.startsWith(taskScheme))
    return message
  const details = tasks.find(uri.slice(taskScheme.length))?.details() ?? {}
  return { ...message, method: 'notifications/tasks', params: { ...details, _meta: params._meta } }
}

function acknowledged(honored: unknown): unknown {
  if (!isObject(honored)) return honored
  const { resourceSubscriptions, ...rest } = honored
  const uris = texts(resourceSubscriptions)
  const isTask = (uri: string) => uri.startsWith(taskScheme)
  const resources = uris.filter((uri) => !isTask(uri))
  const taskIds = uris.filter(isTask).map((uri) => uri.slice(taskScheme.length))
  return defined({
    ...rest,
    resourceSubscriptions: resources.length > 0 ? resources : undefined,
    taskIds: taskIds.length > 0 ? taskIds : undefined,
  })
}
