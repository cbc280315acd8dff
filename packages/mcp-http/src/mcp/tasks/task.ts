/**
 * A call that continues after its client has received a handle: it works, may wait for answers, and then ends.
 *
 * A task never leaves its last status: later reports of its work are ignored.
 */

import { randomUUID } from 'node:crypto'
import { type Clock, defined, type Millis, taskKeptMs } from '@agentpty/protocol'
import type { InputRequests, InputResponses, JSONObject } from '@modelcontextprotocol/server'
import * as z from 'zod'

const pollIntervalMs = 1_000

interface Questions {
  readonly open: Map<string, InputRequests[string]>
  readonly answers: Record<string, InputResponses[string]>
  readonly answered: (answers: InputResponses) => void
}

export interface Time {
  readonly clock: Clock
  readonly isoTime: (wall: number) => string
}

/** The end of a task, in the shape of its status. */
type TaskEnd =
  | { readonly status: 'completed'; readonly result: JSONObject }
  | { readonly status: 'failed'; readonly error: JSONObject; readonly statusMessage: string }
  | { readonly status: 'cancelled'; readonly statusMessage: string }

export class Task {
  readonly taskId = randomUUID()
  /** The call has been answered with the handle: what it does from now on is reported nowhere else. */
  isHandedOut = false
  readonly #time: Time
  readonly #controller = new AbortController()
  readonly #createdAt: number
  /** Monotonic, because the time of day may be set meanwhile. */
  readonly #begunAt: Millis
  readonly #changed: (task: Task) => void
  #updatedAt: number
  #end: TaskEnd | null = null
  #endedAt: Millis = 0
  #ttlMs: number | null = null
  #statusMessage: string | undefined
  #questions: Questions | null = null
  #asked = 0

  /** `changed` is called when the status does. */
  constructor(time: Time, changed: (task: Task) => void) {
    this.#time = time
    this.#changed = changed
    this.#createdAt = time.clock.wall()
    this.#begunAt = time.clock.now()
    this.#updatedAt = this.#createdAt
  }

  /** Aborts when no client needs the result any more. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get status(): TaskStatus {
    if (this.#end !== null) return this.#end.status
    return this.#questions === null ? 'working' : 'input_required'
  }

  /** Its result was kept for the promised time. */
  get isExpired(): boolean {
    return this.#end !== null && this.#time.clock.now() - this.#endedAt > taskKeptMs
  }

  /** Sets the progress, which clients can query. */
  say(statusMessage: string): void {
    this.#statusMessage = statusMessage
    this.#updatedAt = this.#time.clock.wall()
  }

  /** Resolves when all are answered. Each question has a key that no other of this task ever has. */
  ask(requests: readonly InputRequests[string][]): Promise<readonly InputResponses[string][]> {
    if (this.#end !== null) return Promise.reject(new Error('the task has ended'))
    const keys = requests.map(() => `question-${++this.#asked}`)
    const open = new Map(keys.map((key, at) => [key, requests[at] as InputRequests[string]]))
    return new Promise((resolve, reject) => {
      const answered = (answers: InputResponses) => resolve(keys.map((key) => answers[key] as InputResponses[string]))
      this.#questions = { open, answers: {}, answered }
      this.signal.addEventListener('abort', () => reject(new Error('the task was cancelled')), { once: true })
      this.#notify()
    })
  }

  /** Answers to questions that are not open are ignored. */
  update(responses: InputResponses): void {
    const questions = this.#questions
    if (questions === null) return
    for (const [key, answer] of Object.entries(responses))
      if (questions.open.delete(key)) questions.answers[key] = answer
    if (questions.open.size > 0) return
    this.#questions = null
    this.#notify()
    questions.answered(questions.answers)
  }

  end(end: TaskEnd): void {
    if (this.#end !== null) return
    this.#end = end
    this.#questions = null
    this.#endedAt = this.#time.clock.now()
    this.#ttlMs = Math.ceil(this.#endedAt - this.#begunAt) + taskKeptMs
    this.#notify()
  }

  /** Aborts its work; programs that the work started in a terminal continue there. */
  cancel(): void {
    this.end({ status: 'cancelled', statusMessage: 'No longer waited for. The terminal goes on as it was.' })
    this.#controller.abort()
  }

  /** The handle that answers the call. */
  handle(): JSONObject {
    const { isoTime } = this.#time
    const statusMessage = this.#end === null ? this.#statusMessage : undefined
    return defined({
      taskId: this.taskId,
      status: this.status,
      statusMessage,
      createdAt: isoTime(this.#createdAt),
      lastUpdatedAt: isoTime(this.#updatedAt),
      ttlMs: this.#ttlMs,
      pollIntervalMs,
    })
  }

  /** Everything about its current state, with its result, error or questions. */
  details(): JSONObject {
    const inputRequests = this.#questions && Object.fromEntries(this.#questions.open)
    return defined({
      ...this.handle(),
      inputRequests: inputRequests === null ? undefined : (inputRequests as unknown as JSONObject),
      ...this.#end,
    })
  }

  #notify(): void {
    this.#updatedAt = this.#time.clock.wall()
    this.#changed(this)
  }
}

/**
 * The Tasks extension of MCP (`io.modelcontextprotocol/tasks`, revision 2026-07-28): a call that takes long is answered
 * with a handle, and its result is fetched, or announced, when it is there.
 */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** Parameters of `tasks/get`, `tasks/update` and `tasks/cancel`; answers to questions are added to them. */
export const taskParams = z.object({ taskId: z.string().min(1).max(256) })
