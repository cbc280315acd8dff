/** A session's events without secrets. Output that may become one is held back briefly, until the program ends or waits for input. */

import type { OutputLog } from '@agentpty/engine/log'
import type { EngineFollowOptions } from '@agentpty/engine/session'
import { type Clock, type Millis, resultBefore } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import {
  escapesIn,
  maskOf,
  type SecretSpan,
  type SecretValues,
  secretHeldBytesMax,
  secretHeldMs,
} from '@agentpty/protocol/secrets'
import type { FollowOptions, Frame, SessionEvent } from '@agentpty/protocol/session'
import { StreamMask } from './stream-mask.ts'

interface FollowedSession {
  readonly log: OutputLog
  readonly followers: { follow(options: EngineFollowOptions): AsyncGenerator<SessionEvent> }
}

/** Errors: as of the session's own. */
export async function* maskedEvents(
  { log, followers }: FollowedSession,
  options: FollowOptions,
  { secrets, clock }: { readonly secrets: SecretValues; readonly clock: Clock },
): AsyncGenerator<SessionEvent> {
  const over = new AbortController()
  const signal = options.signal === undefined ? over.signal : AbortSignal.any([over.signal, options.signal])
  const events = followers.follow({ ...options, signal, hides: secrets })
  const mask = new EventMask(secrets, log)
  let coming = events.next()
  try {
    for (;;) {
      const arrived = await (mask.heldSince === null
        ? coming
        : resultBefore(coming, { clock, latest: mask.heldSince + secretHeldMs }))
      if (arrived?.done === false) {
        yield* mask.take(arrived.value, clock.now())
        coming = events.next()
      } else {
        yield* mask.flush()
        if (arrived !== null) return
      }
    }
  } finally {
    over.abort()
    // The reader has stopped, so this error is of no interest.
    await coming.catch(() => undefined)
    await events.return(undefined)
  }
}

class EventMask {
  /** When the first byte that is held came; null when none is. */
  heldSince: Millis | null = null
  readonly #secrets: SecretValues
  readonly #log: OutputLog
  readonly #frames: FrameMask
  #output: StreamMask | null = null

  constructor(secrets: SecretValues, log: OutputLog) {
    this.#secrets = secrets
    this.#log = log
    this.#frames = new FrameMask(secrets)
  }

  *take(event: SessionEvent, now: Millis): Generator<SessionEvent> {
    if (event.type === 'output') yield* this.#takeOutput(event, now)
    else if (event.type === 'snapshot') {
      // The snapshot includes the held bytes, and was drawn without secrets.
      this.#output = null
      this.heldSince = null
      yield event
    } else if (event.type === 'frame') yield { type: 'frame', ...this.#frames.push(event) }
    else {
      // The event comes after the output before it.
      yield* this.flush()
      yield this.#secrets.masked(event)
    }
  }

  *flush(): Generator<SessionEvent> {
    const rest = this.#output?.flush() ?? null
    this.heldSince = null
    if (rest !== null) yield { type: 'output', ...rest, missedBytes: 0 }
  }

  *#takeOutput(event: Extract<SessionEvent, { type: 'output' }>, now: Millis): Generator<SessionEvent> {
    const { offset, bytes, missedBytes } = event
    if (this.#output?.next !== offset) yield* this.flush()
    if (this.#output?.next !== offset) this.#output = new StreamMask(this.#secrets, offset, this.#before(offset))
    const heldBefore = this.#output.heldFrom
    const passed = this.#output.push(bytes)
    const { heldFrom } = this.#output
    if (heldFrom === null || heldFrom !== heldBefore) this.heldSince = heldFrom === null ? null : now
    const missed = { offset, bytes: new Uint8Array(0), next: offset }
    if (passed !== null || missedBytes > 0) yield { type: 'output', ...(passed ?? missed), missedBytes }
  }

  /** A secret may have begun before the first byte that is asked for. */
  #before(offset: number): Uint8Array {
    return this.#log.read({ since: offset - secretHeldBytesMax, until: offset }).bytes
  }
}

const fill = '*'

/**
 * Masks secrets in frames. A row may change what a row above it shows, and a secret may go on in the next row: the window is masked as
 * a whole, and a frame has the rows that look different then. Masks are as wide as what they hide, so that all else stays where it is.
 */
class FrameMask {
  readonly #secrets: SecretValues
  #rows: string[] = []
  #shown: readonly string[] = []

  constructor(secrets: SecretValues) {
    this.#secrets = secrets
  }

  push(frame: Frame): Frame {
    if (frame.isWhole) this.#rows = []
    const before = frame.isWhole ? [] : this.#shown
    for (const [row, text] of frame.rows) {
      while (this.#rows.length < row) this.#rows.push('')
      this.#rows[row] = text
    }
    const { above = [], size } = frame
    // The masked rows that have passed are directly above the window.
    const all = this.#masked([...above, ...this.#rows], size.cols)
    this.#shown = all.slice(above.length)
    const rows = this.#shown.flatMap((text, row): readonly (readonly [number, string])[] =>
      text === (before[row] ?? '') ? [] : [[row, text]],
    )
    return {
      ...frame,
      ...(frame.above && { above: all.slice(0, above.length) }),
      rows,
      title: this.#secrets.masked(frame.title),
    }
  }

  #masked(rows: readonly string[], cols: number): readonly string[] {
    const ends = rows.map((text) => (withoutEscapes(text).length >= cols ? '' : '\n'))
    const spans = this.#secrets.find(rows.map((text, row) => text + ends[row]).join(''))
    let begin = 0
    return rows.map((text, row) => {
      const at = begin
      begin += text.length + (ends[row] ?? '').length
      return maskRow(text, at, spans)
    })
  }
}

/** Begins or ends a hyperlink. Its target was drawn without secrets. */
const linkSequence = /\x1b\]8;;[^\x07\x1b]*\x07/g

/** `at`: where the row begins in the text of the spans. */
function maskRow(row: string, at: number, spans: readonly SecretSpan[]): string {
  let masked = ''
  let next = 0
  for (const { from, to, what } of spans) {
    const begin = Math.max(from - at, 0)
    const end = Math.min(to - at, row.length)
    if (begin >= end) continue
    const hidden = row.slice(begin, end)
    const links = (hidden.match(linkSequence) ?? []).join('')
    masked += row.slice(next, begin) + asWide(maskOf(what), withoutEscapes(hidden).length) + escapesIn(hidden) + links
    next = end
  }
  return next === 0 ? row : masked + row.slice(next)
}

const asWide = (mask: string, width: number): string =>
  mask.length > width ? fill.repeat(width) : mask.padEnd(width, fill)
