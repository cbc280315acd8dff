/**
 * The calls of a daemon that have become tasks. A call that is done within a moment is answered as usual; a longer one
 * gets a handle instead, if its client has said that it knows tasks.
 */

import { resultBefore, type Stop, taskAfterMs, tasksMax } from '@agentpty/protocol'
import { isObject } from '@agentpty/protocol/wire'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type InputResponses,
  type JSONObject,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Task, type Time, taskParams, tasksExtension } from './task.ts'

/** The result of a call. A call that is a task continues after the response to its request. */
export type Answer = CallToolResult | InputRequiredResult
export type Work = (task: Task) => Promise<Answer>

export interface AnswerOptions {
  /** The time after which the call becomes a task. */
  readonly afterMs?: number
  /** The call can only be answered by a task: a client that does not know tasks gets an error. */
  readonly isRequired?: boolean
}

export class Tasks {
  readonly #time: Time
  readonly #tasks = new Map<string, Task>()
  readonly #listeners = new Set<(task: Task) => void>()

  constructor(time: Time) {
    this.#time = time
  }

  /** Calls at each change of a task's status; returns a function that stops it. */
  listen(listener: (task: Task) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  find(taskId: string): Task | undefined {
    return this.#tasks.get(taskId)
  }

  /** Errors: those of the work; `MissingRequiredClientCapabilityError`. */
  async answer(context: ServerContext, work: Work, options: AnswerOptions = {}): Promise<Answer> {
    const { afterMs = taskAfterMs, isRequired = false } = options
    if (isRequired) requireTasks(context)
    this.#removeExpired()
    const { signal } = context.mcpReq
    const task = new Task(this.#time, (changed) => this.#changed(changed))
    const cancel = () => task.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answer = work(task)
      const isTask = knowsTasks(context) && this.#tasks.size < tasksMax && (await this.#lastsLonger(answer, afterMs))
      return isTask ? this.#keep(task, answer) : await answer
    } finally {
      // The connection of a task's client may end; the task does not.
      signal.removeEventListener('abort', cancel)
    }
  }

  #keep(task: Task, answer: Promise<Answer>): Answer {
    this.#tasks.set(task.taskId, task)
    task.isHandedOut = true
    answer.then(
      // The library marks what answers a request; this is fetched later, and is marked as it would have been.
      (result) =>
        task.end({ status: 'completed', result: { resultType: 'complete', ...result } as unknown as JSONObject }),
      (error: unknown) => task.end({ status: 'failed', ...protocolError(error) }),
    )
    // The library has no type for handles, and passes them on.
    return { ...task.handle(), resultType: 'task' } as unknown as CallToolResult
  }

  async #lastsLonger(answer: Promise<unknown>, ms: number): Promise<boolean> {
    const { clock } = this.#time
    const isOver = answer.then(
      () => true,
      () => true,
    )
    return (await resultBefore(isOver, { clock, latest: clock.now() + ms })) === null
  }

  #changed(task: Task): void {
    // No client can know the task before it is kept.
    if (this.#tasks.has(task.taskId)) for (const listener of this.#listeners) listener(task)
  }

  #removeExpired(): void {
    for (const [taskId, { isExpired }] of this.#tasks) if (isExpired) this.#tasks.delete(taskId)
  }
}

/** Gives a server the methods by which clients ask about their tasks. */
export function addTasks(server: Server, tasks: Tasks): void {
  const schemas = { params: taskParams }
  const known = (taskId: string, context: ServerContext): Task => {
    requireTasks(context)
    const task = tasks.find(taskId)
    if (task !== undefined) return task
    const message = `No task "${taskId}": it expired, or the daemon was restarted. Its terminal is there: terminal_read.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  server.setRequestHandler('tasks/get', schemas, ({ taskId }, context) => known(taskId, context).details())
  server.setRequestHandler('tasks/update', schemas, ({ taskId }, context) => {
    known(taskId, context).update((context.mcpReq.inputResponses ?? {}) as InputResponses)
    return {}
  })
  server.setRequestHandler('tasks/cancel', schemas, ({ taskId }, context) => {
    known(taskId, context).cancel()
    return {}
  })
}

/** Whether a client has said with this very request that it knows tasks. */
export function knowsTasks({ mcpReq }: ServerContext): boolean {
  const declared = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
  return declaresTasks(declared)
}

export function declaresTasks(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false
  const { extensions } = capabilities
  return isObject(extensions) && isObject(extensions[tasksExtension])
}

export const tasksNeeded = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } }

function requireTasks(context: ServerContext): void {
  if (!knowsTasks(context)) throw new MissingRequiredClientCapabilityError(tasksNeeded)
}

function protocolError(error: unknown): { readonly error: JSONObject; readonly statusMessage: string } {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof ProtocolError ? error.code : ProtocolErrorCode.InternalError
  return { error: { code, message }, statusMessage: message }
}
