/** Listening over HTTP: each listener has a stream of its own, and all listeners of an address share one watcher. */

import { defined, subscriptionsMax } from '@agentpty/protocol'
import { isObject, type JsonObject, parseObject } from '@agentpty/protocol/wire'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InMemoryServerEventBus,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server'
import type { ResourceWatcher } from './resource-watcher.ts'
import type { Task } from './tasks/task.ts'
import { declaresTasks, type Tasks, tasksNeeded } from './tasks/tasks.ts'

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
    const end = once(() => {
      for (const uri of watched) watcher.remove(uri)
    })
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

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    call()
  }
}

/**
 * `subscriptions/listen` of 2026-07-28, for terminals and for tasks.
 *
 * The library admits, counts, filters and ends such requests, and knows resources but no tasks. So tasks are translated
 * into resources with addresses that no terminal has, and back in what is sent.
 */
export const listenMethod = 'subscriptions/listen'

const taskScheme = 'task:'
export const taskUri = ({ taskId }: Task): string => `${taskScheme}${taskId}`

/** A request to listen as the library takes it, and what it subscribes to. */
interface ListenRequest {
  readonly message: JSONRPCRequest
  readonly tasks: readonly Task[]
  readonly resources: readonly string[]
}

/** An error is an answer: the request goes no further. */
export function readListen(message: JSONRPCRequest, tasks: Tasks): ListenRequest | JSONRPCErrorResponse {
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
export function withTasks<Message extends JSONRPCMessage>(message: Message, tasks: Tasks): Message {
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
