/**
 * How far each caller has read each session. Marks are offsets, so they stay right however much output has been
 * evicted. Sessions and callers are bounded; a caller whose mark was evicted reads from the beginning again, and misses
 * nothing.
 */

import { BoundedMap, type Offset } from '@agentpty/protocol'

const sessionsMax = 1_000
const callersMax = 64

export interface ReadMark {
  readonly next: Offset
  /** The end of the shell has been reported. */
  readonly endReported: boolean
}

interface SessionMarks {
  readonly begin: Offset
  readonly byCaller: BoundedMap<string, ReadMark>
}

export class ReadMarks {
  readonly #sessions = new BoundedMap<string, SessionMarks>(sessionsMax)

  /** Starts a new session, of which nobody has read anything. What comes before `begin` does not count as output. */
  begin(session: string, begin: Offset): void {
    this.#sessions.set(session, { begin, byCaller: new BoundedMap(callersMax) })
  }

  get(session: string, caller: string): ReadMark {
    const marks = this.#sessions.get(session)
    return marks?.byCaller.get(caller) ?? { next: marks?.begin ?? 0, endReported: false }
  }

  set(session: string, caller: string, mark: ReadMark): void {
    if (this.#sessions.get(session) === undefined) this.begin(session, 0)
    this.#sessions.get(session)?.byCaller.set(caller, mark)
  }

  delete(session: string): void {
    this.#sessions.delete(session)
  }
}
