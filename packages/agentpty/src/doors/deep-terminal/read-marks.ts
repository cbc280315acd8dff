/**
 * What each caller has read of each session: offsets, so that a mark stays right however much output has been given up.
 * Sessions and callers are bounded; a caller whose mark was evicted reads from the beginning again, and misses nothing.
 */

import { BoundedMap } from '../../contracts/bounded-map.ts'
import type { Offset } from '../../contracts/units.ts'

const sessionsMax = 1_000
const callersMax = 64

export interface ReadMark {
  readonly next: Offset
  /** The end of the shell has been told. */
  readonly endTold: boolean
}

interface SessionMarks {
  readonly begin: Offset
  readonly byCaller: BoundedMap<string, ReadMark>
}

export class ReadMarks {
  readonly #sessions = new BoundedMap<string, SessionMarks>(sessionsMax)

  /** A session is new: nobody has read anything of it. What comes before `begin` is no output. */
  begin(session: string, begin: Offset): void {
    this.#sessions.set(session, { begin, byCaller: new BoundedMap(callersMax) })
  }

  get(session: string, caller: string): ReadMark {
    const marks = this.#sessions.get(session)
    return marks?.byCaller.get(caller) ?? { next: marks?.begin ?? 0, endTold: false }
  }

  set(session: string, caller: string, mark: ReadMark): void {
    if (this.#sessions.get(session) === undefined) this.begin(session, 0)
    this.#sessions.get(session)?.byCaller.set(caller, mark)
  }

  delete(session: string): void {
    this.#sessions.delete(session)
  }
}
