/** Calls that were allowed and have not ended. A long call is recorded before its end, because the server may not live to see it. */

import type { Clock, Millis, Offset, Stop } from '@agentpty/protocol'
import {
  type AuditBody,
  type AuditCaller,
  auditOpenMax,
  auditOpenMs,
  auditTypingMax,
  auditTypingMs,
} from '@agentpty/protocol/audit'
import type { Call } from '@agentpty/protocol/call'

interface Open<Value> {
  readonly value: Value
  readonly recordAt: Millis
  isRecorded: boolean
}

export class OpenCalls<Value> {
  readonly #clock: Clock
  readonly #record: (call: Call, value: Value) => void
  readonly #calls = new Map<Call, Open<Value>>()
  /** Those of them that have no record yet, in the order in which they began. */
  readonly #unrecorded = new Map<Call, Open<Value>>()
  #cancelTimer: Stop | null = null

  constructor(clock: Clock, record: (call: Call, value: Value) => void) {
    this.#clock = clock
    this.#record = record
  }

  add(call: Call, value: Value): void {
    const open = { value, recordAt: this.#clock.now() + auditOpenMs, isRecorded: false }
    this.#calls.set(call, open)
    this.#unrecorded.set(call, open)
    if (this.#unrecorded.size > auditOpenMax) this.#recordOldest()
    if (this.#cancelTimer === null) this.#look()
  }

  /** The call has ended; null when nothing is known of it. */
  take(call: Call): { readonly value: Value; readonly isRecorded: boolean } | null {
    const open = this.#calls.get(call)
    this.#calls.delete(call)
    this.#unrecorded.delete(call)
    return open ?? null
  }

  /** Records all that have not ended. */
  end(): void {
    this.#cancelTimer?.()
    for (const [call, open] of [...this.#unrecorded]) this.#recordNow(call, open)
  }

  #recordOldest(): void {
    const [oldest] = this.#unrecorded
    if (oldest !== undefined) this.#recordNow(...oldest)
  }

  #recordNow(call: Call, open: Open<Value>): void {
    this.#unrecorded.delete(call)
    open.isRecorded = true
    this.#record(call, open.value)
  }

  #look(): void {
    const [oldest] = this.#unrecorded.values()
    if (oldest === undefined) return
    this.#cancelTimer = this.#clock.callAt(oldest.recordAt, () => {
      this.#cancelTimer = null
      const now = this.#clock.now()
      for (const [call, open] of [...this.#unrecorded]) {
        if (open.recordAt > now) break
        this.#recordNow(call, open)
      }
      this.#look()
    })
  }
}

interface Run {
  readonly session: string
  readonly who: AuditCaller
  readonly begunAt: number
  readonly offset: Offset
  readonly cancel: Stop
  end: Offset
}

/** A person’s keys: one record for those of some seconds, which says when and where, and not what. */
export class TypingRuns {
  readonly #clock: Clock
  readonly #put: (body: AuditBody) => void
  readonly #runs = new Map<string, Run>()

  constructor(clock: Clock, put: (body: AuditBody) => void) {
    this.#clock = clock
    this.#put = put
  }

  typed({ id, offset }: { readonly id: string; readonly offset: Offset }, who: AuditCaller): void {
    const key = `${who.client}\0${id}`
    const run = this.#runs.get(key)
    if (run !== undefined) {
      run.end = offset
      return
    }
    const [oldest] = this.#runs.keys()
    if (this.#runs.size >= auditTypingMax && oldest !== undefined) this.#end(oldest)
    const clock = this.#clock
    const cancel = clock.callAt(clock.now() + auditTypingMs, () => this.#end(key))
    this.#runs.set(key, { session: id, who, begunAt: clock.wall(), offset, end: offset, cancel })
  }

  end(): void {
    for (const key of [...this.#runs.keys()]) this.#end(key)
  }

  #end(key: string): void {
    const run = this.#runs.get(key)
    if (run === undefined) return
    this.#runs.delete(key)
    run.cancel()
    const { session, who, begunAt, offset, end } = run
    this.#put({ kind: 'call', verb: 'write', who, session, offset, end, outcome: 'done', begunAt })
  }
}
