/** Listening over HTTP: each listener has a stream of its own, and all listeners of an address share one watcher. */

import { parseObject } from '@agentpty/protocol/wire'
import {
  type InMemoryServerEventBus,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server'
import { readListen, taskUri, withTasks } from './listening.ts'
import type { ResourceWatcher } from './resource-watcher.ts'
import type { Tasks } from './tasks/tasks.ts'

export interface HttpListening {
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
    // What happened before somebody listened is sent once they do.
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
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
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
