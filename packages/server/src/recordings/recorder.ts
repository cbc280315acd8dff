/**
 * Records one terminal: every byte of its output once, from the end of its file, with secrets masked.
 *
 * The log is the queue: new output is taken in one batch, which is written before the next is taken. A marker replaces
 * output that the log has dropped meanwhile. No caller waits for a recorder, and one that cannot write stops.
 */

import { type CastProgress, nothingBefore, statusOf, stepsIn } from '@agentpty/engine/log'
import { WholeCharacters } from '@agentpty/engine/screen'
import { recordedCommands, type Session } from '@agentpty/engine/session'
import type { Clock, Offset, Size } from '@agentpty/protocol'
import {
  type CastCode,
  castHeader,
  castLine,
  commandMark,
  recordedInputBytesMax,
  recordingPieceBytes,
  sizeText,
} from '@agentpty/protocol/recording'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Lease } from '@agentpty/protocol/session'
import { type Appended, type RecordedTo, type RecordingFile, recordedTo } from './recording-files.ts'

/** Bytes that come in pieces, without the secrets in them. */
export interface ByteMask {
  /** The offset of the first byte that is held back; null when none is. */
  readonly heldFrom: Offset | null
  push(bytes: Uint8Array): { readonly bytes: Uint8Array } | null
  flush(): { readonly bytes: Uint8Array } | null
}

/** `before`: the bytes before the one at `offset`. */
export type MakeMask = (offset: Offset, before: Uint8Array) => ByteMask

export interface RecorderOptions {
  readonly clock: Clock
  readonly session: Session
  readonly mask: MakeMask
  readonly secrets: SecretValues
  /** The recording as it was found; null for a new one. */
  readonly found: RecordingFile | null
  readonly maxBytes: number
  /** Whole lines, at this position of the file. */
  readonly append: (at: number, text: string) => Promise<Appended>
  /** Bytes before the first one that may belong to a secret. */
  readonly leadBytes: number
}

/** With less room than this left, a recording takes pieces of this size, and exceeds its bound by no more. */
const pieceBytesMin = 4 * 1_024

export type RecorderState = 'records' | 'ended' | 'full' | 'gone'

export class Recorder {
  readonly #options: RecorderOptions
  readonly #characters = new WholeCharacters()
  #mask: ByteMask
  /** Read up to here. */
  #readTo: Offset
  #recordedTo: CastProgress
  /** Wall time of the last event. */
  #lastAt: number
  /** The time of the last read: newer output cannot be earlier. */
  #lookedAt: number
  #size: number
  /** The size in its header or the last change. */
  #recordedSize: string
  #lines: string[] = []
  #heldBefore: Offset | null = null
  #leaseEpoch: number
  #typed: { readonly at: number; readonly bytes: Uint8Array }[] = []
  #typedBytes = 0
  #hasFailed = false
  #state: RecorderState = 'records'

  constructor(options: RecorderOptions) {
    const { session, found, clock } = options
    const { info, log, timeline } = session
    this.#options = options
    const to = found?.to ?? null
    this.#readTo = to?.offset ?? 0
    // A size that was written before is written again, which does no harm.
    this.#recordedTo = { ...nothingBefore(this.#readTo), sizedAt: to === null ? clock.wall() : 0 }
    this.#lastAt = to?.at ?? info.createdAt
    const isKnown = to === null || timeline.unknownTo <= to.offset
    this.#lookedAt = isKnown ? this.#lastAt : clock.wall()
    this.#size = found?.bytes ?? 0
    this.#leaseEpoch = info.lease.epoch
    this.#mask = this.#maskFrom(this.#readTo)
    this.#recordedSize = sizeText(timeline.from(this.#readTo).size)
    if (to === null) {
      const { size } = timeline.from(log.start)
      const command = options.secrets.masked(info.shell ?? info.argv.join(' '))
      this.#lines.push(castHeader({ size, startedAt: info.createdAt, command, title: info.name }))
    }
  }

  get state(): RecorderState {
    return this.#state
  }

  get bytes(): number {
    return this.#size
  }

  /** The program, or a command of its shell, has ended badly. */
  get hasFailed(): boolean {
    const { exit, info } = this.#options.session
    // A shell is closed in the middle of its work: what its commands did counts, and not how it has ended.
    const hasEndedBadly = info.shell === null && exit !== null && statusOf(exit) !== 0 && exit.signal !== 'SIGHUP'
    return this.#hasFailed || hasEndedBadly
  }

  /** There is something to take down. */
  get isDue(): boolean {
    if (this.#state !== 'records') return false
    const { session } = this.#options
    const isTyped = this.#typed.length > 0 || session.info.lease.epoch !== this.#leaseEpoch
    const isHeld = this.#mask.heldFrom !== null || !this.#characters.isWhole
    const isSized = sizeText(session.size) !== this.#recordedSize
    return (
      isSized || session.parsedTo > this.#readTo || session.exit !== null || isTyped || isHeld || this.#lines.length > 0
    )
  }

  typed(bytes: Uint8Array): void {
    if (this.#state !== 'records' || this.#typedBytes + bytes.length > recordedInputBytesMax) return
    this.#typedBytes += bytes.length
    this.#typed.push({ at: this.#options.clock.wall(), bytes })
  }

  /** Takes down what has come. Errors: those of the file system; then the same is tried again. */
  async look(): Promise<void> {
    const { session, clock, maxBytes } = this.#options
    const now = clock.wall()
    this.#takeOutput()
    this.#takeLease()
    this.#takeTyped()
    const isOver = session.exit !== null && this.#readTo >= session.parsedTo
    if (isOver) this.#takeExit()
    this.#lookedAt = now
    const isFull = !isOver && this.#size + this.#lines.reduce((sum, { length }) => sum + length, 0) > maxBytes
    if (isFull) this.#event('m', `the recording ends here: it has ${maxBytes} bytes`)
    await this.#write(isOver || isFull)
    if (this.#state === 'records' && isOver) this.#state = 'ended'
    if (this.#state === 'records' && isFull) this.#state = 'full'
  }

  async #write(isEnded: boolean): Promise<void> {
    const text = this.#lines.join('') + recordedTo(this.#writtenTo(), isEnded)
    const appended = await this.#options.append(this.#size, text)
    if (appended === 'gone') this.#state = 'gone'
    this.#size += Buffer.byteLength(text)
    this.#lines = []
  }

  /** Returns the position up to which output was written. Bytes that are held back are read again by the next daemon. */
  #writtenTo(): RecordedTo {
    const offset = (this.#mask.heldFrom ?? this.#readTo) - this.#characters.waitingBytes
    return { offset, at: this.#lastAt }
  }

  #takeOutput(): void {
    const { session } = this.#options
    const { log, timeline } = session
    if (log.start > this.#readTo) this.#skipTo(log.start)
    const from = this.#readTo
    const room = Math.max(pieceBytesMin, this.#options.maxBytes - this.#size)
    const until = Math.min(session.parsedTo, from + Math.min(recordingPieceBytes, room))
    const commands = recordedCommands(session, this.#recordedTo, until)
    const { steps, progress } = stepsIn({ timeline, commands }, { from, until, progress: this.#recordedTo })
    this.#recordedTo = progress
    for (const step of steps) {
      this.#outputTo(Math.min(Math.max(step.offset, this.#readTo), until))
      if ('at' in step) this.#lastAtLeast(step.at)
      else {
        if (step.code === 'm') this.#judge(step.data)
        this.#flush()
        if (step.code === 'r') this.#recordedSize = step.data
        this.#event(step.code, step.code === 'm' ? this.#options.secrets.masked(step.data) : step.data)
      }
    }
    this.#outputTo(until)
    // Two changes within one millisecond: the last one counts.
    if (this.#readTo >= session.parsedTo && sizeText(session.size) !== this.#recordedSize)
      this.#recordSize(session.size)
    // Bytes that were held at the last read, too, have waited long enough for their continuation.
    const { heldFrom } = this.#mask
    if (heldFrom !== null && heldFrom === this.#heldBefore) this.#flush()
    this.#heldBefore = this.#mask.heldFrom
  }

  #recordSize(size: Size): void {
    this.#recordedSize = sizeText(size)
    this.#event('r', this.#recordedSize)
  }

  /** Skips output that the log has dropped. */
  #skipTo(offset: Offset): void {
    this.#flush()
    this.#event('m', `${offset - this.#readTo} bytes are missing here: they came too fast`)
    this.#readTo = offset
    this.#mask = this.#maskFrom(offset)
  }

  /** Since the last look nothing came earlier than that. */
  #lastAtLeast(at: number): void {
    this.#now = Math.max(this.#now, at, this.#lookedAt)
  }

  /** Wall time of the bytes that are taken now. */
  #now = 0

  #outputTo(until: Offset): void {
    if (until <= this.#readTo) return
    const { bytes, next } = this.#options.session.log.read({ since: this.#readTo, until })
    this.#readTo = next
    this.#put(this.#mask.push(bytes))
  }

  #flush(): void {
    this.#put(this.#mask.flush())
  }

  #put(passed: { readonly bytes: Uint8Array } | null): void {
    if (passed === null) return
    const text = Buffer.from(this.#characters.take(passed.bytes)).toString('utf8')
    if (text !== '') this.#event('o', text)
  }

  #takeTyped(): void {
    for (const { at, bytes } of this.#typed) {
      this.#now = Math.max(this.#now, at)
      this.#event('i', this.#options.secrets.masked(Buffer.from(bytes).toString('utf8')))
    }
    this.#typed = []
    this.#typedBytes = 0
  }

  #takeLease(): void {
    const { lease } = this.#options.session.info
    if (lease.epoch === this.#leaseEpoch) return
    this.#leaseEpoch = lease.epoch
    this.#now = Math.max(this.#now, this.#lookedAt)
    this.#event('m', leaseLabel(lease))
  }

  #takeExit(): void {
    const { exit } = this.#options.session
    if (exit === null) return
    this.#flush()
    this.#now = Math.max(this.#now, this.#lookedAt)
    this.#event('x', String(statusOf(exit)))
  }

  #judge(marker: string): void {
    if (!marker.startsWith(commandMark) && /^exit code [1-9]/.test(marker)) this.#hasFailed = true
  }

  #event(code: CastCode, data: string): void {
    const at = Math.max(this.#now, this.#lastAt)
    this.#lines.push(castLine(at - this.#lastAt, code, data))
    this.#lastAt = at
  }

  #maskFrom(offset: Offset): ByteMask {
    const { session, mask, leadBytes } = this.#options
    return mask(offset, session.log.read({ since: offset - leadBytes, until: offset }).bytes)
  }
}

function leaseLabel({ mayType, holder }: Lease): string {
  if (mayType === 'both') return 'agents may type again'
  return mayType === 'person' ? `${holder ?? 'a person'} has taken it over` : 'an agent has it alone'
}
