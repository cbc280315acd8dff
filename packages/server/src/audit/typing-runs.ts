/** A person’s keys: one record for those of some seconds, which says when and where, and not what. */

import type { Clock, Offset, Stop } from '@agentpty/protocol'
import { type AuditBody, type AuditCaller, auditTypingMax, auditTypingMs } from '@agentpty/protocol/audit'

interface Run {
  readonly session: string
  readonly who: AuditCaller
  readonly begunAt: number
  readonly offset: Offset
  readonly cancel: Stop
  end: Offset
}

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
