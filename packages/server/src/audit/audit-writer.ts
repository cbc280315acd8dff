/**
 * Writes records in order, while no call waits for it.
 *
 * Records are gathered for a moment and appended in one write. While writing fails (on a full disk, say) records wait.
 * Above the limit the newest are counted and dropped; the next record that is written names their number.
 */

import type { Clock, Millis, Stop } from '@agentpty/protocol'
import { type AuditBody, auditGatherMs, auditQueueMax, auditRetryMs } from '@agentpty/protocol/audit'
import { maskShapes } from '@agentpty/protocol/secrets'
import type { Appended, AuditBatch, AuditHead } from './audit-files.ts'
import { type ChainEnd, hashOf } from './audit-lines.ts'

/** Where lines go. Errors: then nothing of the batch is there. */
interface AuditStore {
  append(batch: AuditBatch): Promise<Appended>
  appendNow(batch: AuditBatch): Appended
  close(): void
}

interface AuditWriterOptions {
  readonly clock: Clock
  readonly store: AuditStore
  readonly end: ChainEnd
  readonly head: AuditHead | null
  /** Called before records are written, for what is to be put with them. */
  readonly beforeWrite: () => void
  /** Masks what is known to be secret, besides what looks like it. */
  readonly masked?: (text: string) => string
  /** Gets the error of the first write that fails, and null when one works again. */
  readonly failed: (error: unknown) => void
}

interface WriterStatus {
  readonly records: number
  readonly waiting: number
  /** How many were not kept, since this writer began. */
  readonly lost: number
  /** Why the last write failed; null when it did not. */
  readonly problem: string | null
}

interface Waiting {
  readonly id: string
  readonly at: number
  readonly body: AuditBody
}

export class AuditWriter {
  readonly newId: () => string
  readonly #options: AuditWriterOptions
  #chain: AuditHead
  #queue: Waiting[] = []
  #lost = 0
  #lostInAll = 0
  #problem: string | null = null
  #timer: { readonly at: Millis; readonly cancel: Stop } | null = null
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(options: AuditWriterOptions) {
    const { end, head, clock } = options
    this.#options = options
    this.newId = recordIds(clock, end.id)
    // A cut end or a changed last line is detected by the next record.
    const isBehind = head !== null && (head.n > end.n || (head.n === end.n && head.hash !== end.hash))
    this.#chain = isBehind ? head : { n: end.n, hash: end.hash }
    if (end.torn !== null) this.put({ kind: 'journal', event: 'repaired', torn: end.torn })
    if (head !== null && head.n > end.n) this.put({ kind: 'journal', event: 'gap', count: head.n - end.n })
  }

  get status(): WriterStatus {
    return {
      records: this.#chain.n,
      waiting: this.#queue.length,
      lost: this.#lostInAll,
      problem: this.#problem,
    }
  }

  put(body: AuditBody, { id = this.newId(), isUrgent = false }: { id?: string; isUrgent?: boolean } = {}): void {
    if (this.#isClosed) return
    if (this.#queue.length >= auditQueueMax) {
      this.#lost += 1
      this.#lostInAll += 1
      return
    }
    this.#queue.push({ id, at: this.#options.clock.wall(), body })
    if (this.#problem === null) this.#writeIn(isUrgent ? 0 : auditGatherMs)
  }

  /** Writes all queued records; for tests and for callers that must know that they are written. */
  async flush(): Promise<void> {
    this.#cancelTimer()
    await this.#writing
    this.#write()
    await this.#writing
  }

  async close(): Promise<void> {
    this.#cancelTimer()
    await this.#writing
    this.closeNow()
  }

  /** Writes the queue before the process exits immediately. A write in progress is left alone. */
  closeNow(): void {
    if (this.#isClosed) return
    this.#cancelTimer()
    const { store, failed } = this.#options
    const batch = this.#writing === null ? this.#take() : null
    this.#isClosed = true
    try {
      if (batch !== null) store.appendNow(batch)
    } catch (error) {
      failed(error)
    }
    store.close()
  }

  #writeIn(ms: Millis): void {
    const { clock } = this.#options
    const at = clock.now() + ms
    if (this.#timer !== null && this.#timer.at <= at) return
    this.#timer?.cancel()
    const write = () => {
      this.#timer = null
      if (this.#writing === null) this.#write()
    }
    this.#timer = { at, cancel: clock.callAt(at, write) }
  }

  #cancelTimer(): void {
    this.#timer?.cancel()
    this.#timer = null
  }

  #write(): void {
    this.#options.beforeWrite()
    const written = this.#queue
    const batch = this.#take()
    // The latest record was written together with those before it.
    if (batch === null) return
    this.#writing = this.#append(batch, written).then(() => {
      this.#writing = null
      if (this.#queue.length > 0 && !this.#isClosed)
        this.#writeIn(this.#problem === null ? auditGatherMs : auditRetryMs)
    })
  }

  /** Records that cannot be written wait again. */
  async #append(batch: AuditBatch, written: readonly Waiting[]): Promise<void> {
    try {
      this.#wrote(batch, await this.#options.store.append(batch))
    } catch (error) {
      this.#queue = [...written, ...this.#queue]
      this.#couldNotWrite(error)
    }
  }

  #wrote({ head }: AuditBatch, { droppedBefore }: Appended): void {
    this.#chain = head
    if (this.#problem !== null) this.#options.failed(null)
    this.#problem = null
    if (droppedBefore !== null) this.put({ kind: 'journal', event: 'dropped', before: droppedBefore })
    if (this.#lost === 0) return
    const count = this.#lost
    this.#lost = 0
    this.put({ kind: 'journal', event: 'lost', count, why: 'they could not be written' })
  }

  #couldNotWrite(error: unknown): void {
    if (this.#problem === null) this.#options.failed(error)
    this.#problem = error instanceof Error ? error.message : String(error)
  }

  /** Takes the queued records as lines; null when the queue is empty. */
  #take(): AuditBatch | null {
    if (this.#queue.length === 0) return null
    const waiting = this.#queue
    this.#queue = []
    const { masked: known = (text: string) => text } = this.#options
    let { n, hash } = this.#chain
    let text = ''
    for (const { id, at, body } of waiting) {
      n += 1
      const line = JSON.stringify({ n, id, at, prev: hash, ...masked(body, known) })
      hash = hashOf(line)
      text += `${line}\n`
    }
    return { first: this.#chain.n + 1, text, head: { n, hash } }
  }
}

/** Returns the body with secrets masked, in the fields that hold typed text. */
function masked(body: AuditBody, known: (text: string) => string): AuditBody {
  const texts = ['text', 'resolved', 'line'] as const
  const found = texts.flatMap((name) => {
    const text: unknown = (body as Readonly<Record<string, unknown>>)[name]
    return typeof text === 'string' ? [[name, maskSecrets(known(text))] as const] : []
  })
  return found.length === 0 ? body : { ...body, ...Object.fromEntries(found) }
}

// Ids of records: short, and never given twice, also when a process was killed before it had written those that it gave.

const prefix = 'au-'
/** 2023-01-01. Tenths of a millisecond since then are eight characters until 2031, and nine for centuries. */
const epoch = 1_672_531_200_000
const perMs = 10

/** `last`: an id that was given before. Ids grow with time. */
function recordIds(clock: Pick<Clock, 'wall'>, last: string | null): () => string {
  let newest = last === null ? 0 : numberOf(last)
  return () => {
    newest = Math.max(newest + 1, Math.floor((clock.wall() - epoch) * perMs))
    return `${prefix}${newest.toString(36)}`
  }
}

/** Zero for what is none. */
function numberOf(id: string): number {
  const number = Number.parseInt(id.slice(prefix.length), 36)
  return Number.isSafeInteger(number) ? number : 0
}

// Masks likely secrets: keys of known shapes, and values of secret names, flags and headers. Some are missed: the journal is private.

const mask = '[masked]'

/** Each word is looked at from its beginning, and not from every letter: the time grows with the text and no faster. */
const telling =
  '(?:passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)'
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"'&;|]+)`
/** `NAME=value`, `name: value`, `--password value`. */
const given = new RegExp(
  String.raw`(?<![\w.-])([\w.-]{0,60}?${telling}[\w.-]{0,40}["']?\s{0,3}[=:]\s{0,3}|--?[\w-]{0,40}?${telling}[\w-]{0,40} )${value}`,
  'gi',
)
const headers = /\b((?:bearer|basic)\s+)[\w+/=.~-]{8,}/gi
/** @example maskSecrets('TOKEN=abc make') // 'TOKEN=[masked] make' */
export function maskSecrets(text: string): string {
  return maskShapes(text).replaceAll(headers, `$1${mask}`).replaceAll(given, `$1${mask}`)
}
