/**
 * A follower that gets a snapshot first, and then every later byte once, with each change of size at its offset. Only the log is
 * queued for it: when the follower is too far behind, it gets a new snapshot instead of the bytes. No program waits for it.
 */

import { followPieceBytes, type Millis, type Offset, type Size } from '@agentpty/protocol'
import {
  crowdBehindBytesMax,
  followBehindBytesMax,
  followedSizesMax,
  type SessionEvent,
} from '@agentpty/protocol/session'
import type { Timeline } from '../log/timeline.ts'
import { wholeCharactersOf } from '../screen/skim.ts'
import { type Followed, type SessionFollowerParts, type TurnEvent, TurnQueue } from './session-follower.ts'
import type { Late, TerminalSnapshot } from './terminal-snapshots.ts'

interface Resized {
  readonly offset: Offset
  readonly size: Size
}

export interface SnapshotFollowerParts extends SessionFollowerParts {
  /** `late`: of one that is behind; null for its first. */
  readonly snapshot: (late: Late | null) => Promise<TerminalSnapshot>
}

export class SnapshotFollower {
  readonly #followed: Followed & { readonly timeline: Timeline }
  readonly #parts: SnapshotFollowerParts
  readonly #turns: TurnQueue
  #resizes: Resized[] = []
  /** Null until the first snapshot. */
  #sentTo: Offset | null = null
  #snapshotAt: Millis = Number.NEGATIVE_INFINITY
  #isOver = false
  #wake: () => void = () => {}

  constructor(followed: Followed & { readonly timeline: Timeline }, parts: SnapshotFollowerParts) {
    this.#followed = followed
    this.#parts = parts
    this.#turns = new TurnQueue(parts.dropped)
  }

  /** There may be something new. */
  recheck(): void {
    this.#wake()
  }

  resized(offset: Offset, size: Size): void {
    if (this.#sentTo !== null) this.#resizes.push({ offset, size })
  }

  turn(event: TurnEvent): void {
    this.#turns.add(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *events(): AsyncGenerator<SessionEvent> {
    while (!this.#isOver) {
      const event = this.#isBehind() ? await this.#snapshot() : (this.#parts.news.next() ?? this.#next())
      if (event !== null) yield event
      if (event?.type === 'exit') return
      if (event === null && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #isBehind(): boolean {
    const { log, parsedTo } = this.#followed
    if (this.#sentTo === null || this.#sentTo < log.start || this.#resizes.length > followedSizesMax) return true
    const behind = parsedTo - this.#sentTo
    return behind > followBehindBytesMax || (behind > crowdBehindBytesMax && this.#parts.ration.isSpent)
  }

  async #snapshot(): Promise<SessionEvent> {
    const late = this.#sentTo === null ? null : { sentTo: this.#sentTo, lastAt: this.#snapshotAt }
    const { at, size, text, sizedTo, commands, promptUp } = await this.#parts.snapshot(late)
    this.#snapshotAt = this.#parts.clock.now()
    // No bytes come twice, and the screen may be behind the bytes sent before.
    this.#sentTo = at
    const { size: sizeThere, moments } = this.#followed.timeline.from(sizedTo)
    const missing = isSameSize(size, sizeThere) ? [] : [{ offset: at, size: sizeThere }]
    const later = moments.flatMap(({ offset, size: one }) =>
      one !== undefined && offset > sizedTo ? [{ offset, size: one }] : [],
    )
    this.#resizes = [...missing, ...later]
    return { type: 'snapshot', at, size, text, isLate: late !== null, commands, promptUp }
  }

  /** A verdict comes after the output it was judged from, and a size where it counts from. */
  #next(): SessionEvent | null {
    const { exit, parsedTo } = this.#followed
    const turn = this.#turns.first
    const [resized] = this.#resizes
    const until = Math.min(parsedTo, turn?.at ?? parsedTo, resized?.offset ?? parsedTo)
    const output = this.#output(until, until === parsedTo && exit === null)
    if (output !== null) return output
    if (resized !== undefined && resized.offset <= parsedTo) {
      this.#resizes.shift()
      return { type: 'resized', at: resized.offset, size: resized.size }
    }
    if (turn !== undefined && turn.at <= parsedTo) return this.#turns.take()
    return exit === null ? null : { type: 'exit', exit }
  }

  /** The pieces end between characters, so that a snapshot may follow any of them; the last bytes come as they are. */
  #output(until: Offset, mayGoOn: boolean): SessionEvent | null {
    const since = this.#sentTo ?? 0
    if (since >= until) return null
    const { log } = this.#followed
    const { bytes, from, next, missedBytes } = log.read({ since, until, maxBytes: followPieceBytes })
    const whole = next < until || mayGoOn ? wholeCharactersOf(bytes) : bytes
    if (whole.length === 0) return null
    this.#sentTo = from + whole.length
    this.#parts.ration.spend(whole.length)
    return { type: 'output', offset: from, bytes: whole, next: this.#sentTo, missedBytes }
  }
}

const isSameSize = (a: Size, b: Size): boolean => a.cols === b.cols && a.rows === b.rows
