/** Bounds how many calls start together. A call that is not answered soon is waiting and costs little, so only young calls count. */

import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { type Clock, type Millis, type Stop, youngCallMs, youngCallsMax } from '@agentpty/protocol'
import { isObject } from '@agentpty/protocol/wire'

export class CallGate {
  readonly #clock: Clock
  /** Calls without an answer and when each was begun, the oldest first. */
  readonly #young = new Set<{ readonly begunAt: Millis }>()
  #waiting: (() => void)[] = []
  #isChecking = false
  #isArmed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isFull(): boolean {
    for (const call of this.#young) {
      if (this.#clock.now() - call.begunAt < youngCallMs) break
      this.#young.delete(call)
    }
    return this.#young.size >= youngCallsMax
  }

  /** A call begins; returns a function that ends it. */
  enter(): Stop {
    const call = { begunAt: this.#clock.now() }
    this.#young.add(call)
    return () => {
      this.#young.delete(call)
      this.#checkSoon()
    }
  }

  /** Calls when another call may begin: one after the other, and input that has come meanwhile is read first. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    this.#checkSoon()
  }

  #checkSoon(): void {
    if (this.#isChecking || this.#waiting.length === 0) return
    this.#isChecking = true
    setImmediate(() => {
      if (!this.isFull) this.#waiting.shift()?.()
      this.#isChecking = false
      if (this.isFull) this.#checkWhenOld()
      else this.#checkSoon()
    })
  }

  /** The oldest call may only be waiting for something: it stops counting once it is old. */
  #checkWhenOld(): void {
    const [oldest] = this.#young
    if (oldest === undefined || this.#waiting.length === 0 || this.#isArmed) return
    this.#isArmed = true
    this.#clock.callAt(oldest.begunAt + youngCallMs, () => {
      this.#isArmed = false
      this.#checkSoon()
    })
  }
}

/** Null: this system, or the program, cannot say. */
type Answer = (pid: number | null) => void

/** The number of starts for one question; the process may be killed by anyone. */
const startsMax = 2
/** It answers within a millisecond. A stopped process is started again. */
const answerMsMax = 2_000

/** Finds the process at the other end of a connection, which Node cannot: a helper of ptyhost's program is handed the connection. */
export class Peers {
  readonly #command: readonly [string, ...string[]]
  readonly #clock: Pick<Clock, 'now' | 'callAt'>
  #child: ChildProcess | null = null
  #asked: Answer[] = []

  constructor(command: readonly [string, ...string[]], clock: Pick<Clock, 'now' | 'callAt'>) {
    this.#command = command
    this.#clock = clock
  }

  async pidOf(socket: Socket): Promise<number | null> {
    for (let start = 0; start < startsMax; start++) {
      const handle = handleOf(socket)
      if (handle === null) return null
      const pid = await this.#ask(handle)
      if (pid !== null) return pid === 0 ? null : pid
    }
    return null
  }

  #ask(handle: SendHandle): Promise<number | null> {
    const child = this.#child ?? this.#start()
    return new Promise((resolve) => {
      const cancelTimer = this.#clock.callAt(this.#clock.now() + answerMsMax, () => this.#lost(child))
      this.#asked.push((pid) => {
        cancelTimer()
        resolve(pid)
      })
      child.send({}, handle, (error) => {
        if (error !== null) this.#lost(child)
      })
    })
  }

  #start(): ChildProcess {
    const [program, ...args] = this.#command
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#child = child
    child.on('message', (message) => {
      if (this.#child === child && isObject(message) && typeof message['pid'] === 'number')
        this.#asked.shift()?.(message['pid'])
    })
    for (const event of ['error', 'exit', 'disconnect'] as const) child.on(event, () => this.#lost(child))
    child.unref()
    child.channel?.unref()
    return child
  }

  #lost(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = null
    child.kill('SIGKILL')
    const asked = this.#asked
    this.#asked = []
    for (const answer of asked) answer(null)
  }
}

/** The connection itself. As a socket, Node would hand it over to the child and have the server count it there. */
function handleOf(socket: Socket): SendHandle | null {
  const { _handle: handle = null } = socket as unknown as { readonly _handle?: SendHandle | null }
  return handle
}
