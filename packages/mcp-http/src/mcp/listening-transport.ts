/** A connection whose client may listen for what happens to terminals and to tasks. */

import type { Stop } from '@agentpty/protocol'
import { isObject } from '@agentpty/protocol/wire'
import type { JSONRPCMessage, JSONRPCRequest, RequestId, Transport } from '@modelcontextprotocol/server'
import { listenMethod, readListen, taskUri, withTasks } from './listening-http.ts'
import type { ResourceWatcher } from './resource-watcher.ts'
import type { Task } from './tasks/task.ts'
import type { Tasks } from './tasks/tasks.ts'

export interface ListeningOptions {
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
