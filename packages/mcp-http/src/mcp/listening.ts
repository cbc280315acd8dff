/**
 * `subscriptions/listen` of 2026-07-28, for terminals and for tasks.
 *
 * The library admits, counts, filters and ends such requests, and knows resources but no tasks. So tasks are translated
 * into resources with addresses that no terminal has, and back in what is sent.
 */

import { defined, subscriptionsMax } from '@agentpty/protocol'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server'
import type { Task } from './tasks/task.ts'
import { declaresTasks, type Tasks, tasksNeeded } from './tasks/tasks.ts'

export const listenMethod = 'subscriptions/listen'

const taskScheme = 'task:'
export const taskUri = ({ taskId }: Task): string => `${taskScheme}${taskId}`

/** A request to listen as the library takes it, and what it subscribes to. */
export interface ListenRequest {
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
