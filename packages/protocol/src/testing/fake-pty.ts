/**
 * A PTY that prints, reports and ends when a test says so, and remembers the requests that it received.
 *
 * It keeps the promises of a real host. Output is kept up to `logBytes` and sent in order, each byte once per
 * attachment; an engine that attaches later gets the kept bytes. While an engine is attached, the program waits
 * instead of losing output; the exit comes after the last byte. With `delivery: 'held'` everything is sent when the
 * test calls {@link FakePty.deliver}, as late and in as small pieces as a socket may bring it.
 */

import type { GateAnswer } from '../effects/gate.ts'
import { TermError } from '../errors.ts'
import { unparsedBytesMax } from '../limits.ts'
import type { Clock, Exit, Facts, KeptMoment, NumberedInput, Pty, PtyEvents, WriteResult } from '../ports.ts'
import type { Offset, Size } from '../units.ts'
import { waitingForLine } from './fake-facts.ts'
import { FakeInput } from './fake-input.ts'
import { KeptOutput } from './kept-output.ts'

export interface FakePtyOptions {
  /** Environment that the program was started with. */
  readonly env?: Readonly<Record<string, string>>
  /** Output kept for an engine that comes later. */
  readonly logBytes?: number
  readonly delivery?: Delivery
}

export type Delivery = 'at once' | 'held'

export interface FakeResize extends Size {
  readonly offset: Offset
}

/** A host sends at most this much output in one piece; with immediate delivery, output is sent as it was printed. */
const pieceBytesMax = 64 * 1024
/** A host remembers no more sizes. */
const resizesMax = 64
const unprintedBytesMax = 16 * 1024 * 1024

export class FakePty implements Pty {
  readonly sizes: Size[] = []
  readonly watched: boolean[] = []
  /** The messages that its gate has got. */
  readonly gateAnswers: GateAnswer[] = []
  readonly env: Readonly<Record<string, string>>
  isClosed = false
  /** The engine's notes, if it has changed them since the start. */
  meta: string | null = null
  readonly #clock: Clock
  readonly #logBytes: number
  readonly #delivery: Delivery
  readonly #output: KeptOutput
  readonly #resizes: FakeResize[] = []
  readonly #input: FakeInput
  /** Output that the program wants to print and the host has no space for. */
  #unprinted: Buffer = Buffer.alloc(0)
  #events: PtyEvents | null = null
  /** The engine that started the program will attach: until then nothing may be lost. */
  #isExpected = true
  /** Events besides output that the engine is still to get, in order. */
  #unsent: (() => void)[] = []
  #sent: Offset = 0
  #acked: Offset = 0
  #exit: Exit | null = null
  #exitedAt: number | null = null
  readonly #moments: KeptMoment[] = []
  #isExitSent = false
  #isDelivering = false

  constructor(clock: Clock, options: FakePtyOptions = {}) {
    this.#clock = clock
    this.env = options.env ?? {}
    this.#logBytes = options.logBytes ?? pieceBytesMax * 128
    this.#delivery = options.delivery ?? 'at once'
    this.#output = new KeptOutput(this.#logBytes)
    this.#input = new FakeInput((written, answer) =>
      this.#send((events) => {
        events.written?.(written)
        answer()
      }),
    )
  }

  // --- what the test sees ---

  /** Offset of the oldest byte that is still kept. */
  get start(): Offset {
    return this.#output.start
  }

  /** Offset of the next byte. */
  get end(): Offset {
    return this.#output.end
  }

  /** Offset that the next printed byte will get, when there is room for it. */
  get printedTo(): Offset {
    return this.#output.end + this.#unprinted.length
  }

  get ackedTo(): Offset {
    return this.#acked
  }

  get exit(): Exit | null {
    return this.#exit
  }

  get exitedAt(): number | null {
    return this.#exitedAt
  }

  get moments(): readonly KeptMoment[] {
    return this.#moments
  }

  get resizes(): readonly FakeResize[] {
    return this.#resizes
  }

  /** Whether an engine wants facts. */
  get isWatched(): boolean {
    return this.watched.at(-1) ?? false
  }

  /** Each piece of input that the program has taken. */
  get writes(): readonly Uint8Array[] {
    return this.#input.taken
  }

  get written(): string {
    return Buffer.concat([...this.#input.taken]).toString()
  }

  /** There is something the engine has not got yet. */
  get hasNews(): boolean {
    if (this.#events === null) return false
    return this.#unsent.length > 0 || this.#sent < this.#output.end || this.#isExitDue
  }

  // --- what the test lets happen ---

  prints(output: string | Uint8Array): void {
    const bytes = Buffer.from(output)
    if (this.#unprinted.length + bytes.length > unprintedBytesMax) {
      throw new Error('The engine takes no output: nothing was acknowledged. Print less, or deliver in between.')
    }
    this.#unprinted = Buffer.concat([this.#unprinted, bytes])
    this.#print()
    this.#happened()
  }

  /** The host had no room for this many bytes. */
  loses(bytes: number): void {
    this.#output.skip(bytes)
    this.#acked = this.#output.end
  }

  /** The program ends; what it could not print is never printed. */
  exits(exit: Partial<Exit> = {}): void {
    this.#exit = { code: 0, signal: null, ...exit }
    this.#exitedAt = this.#clock.wall()
    this.#unprinted = Buffer.alloc(0)
    this.#input.drop()
    this.#happened()
  }

  /** Facts of this moment: after all output and all input, unless the test says otherwise. */
  reports(facts: Partial<Facts> = {}): void {
    const now = { offset: this.#output.end, at: this.#clock.now(), inputWritten: this.#input.written }
    this.#send((events) => events.facts({ ...waitingForLine, ...now, ...facts }))
  }

  /** Input waits from now on, until the program reads again. */
  stopsReading(): void {
    this.#input.pause()
  }

  readsAgain(): void {
    this.#input.resume()
  }

  /** Sends the events so far, and then at most `maxBytes` of output in one piece; for held delivery. */
  deliver(maxBytes = this.#pieceBytesMax): void {
    if (this.#isDelivering || this.#events === null) return
    this.#isDelivering = true
    try {
      for (const send of this.#unsent.splice(0)) send()
      this.#deliverOutput(this.#events, Math.min(maxBytes, this.#pieceBytesMax))
    } finally {
      this.#isDelivering = false
    }
  }

  /** The engine is gone; what it was still to get is dropped. */
  detach(): void {
    this.#events = null
    this.#unsent = []
    this.#isExpected = false
    this.watched.push(false)
    this.#print()
  }

  // --- what the engine asks for ---

  attach(from: Offset, events: PtyEvents): void {
    this.#events = events
    this.#isExpected = false
    this.#sent = Math.min(Math.max(from, this.#output.start), this.#output.end)
    this.#acked = this.#sent
    this.#isExitSent = false
    this.#happened()
  }

  ack(offset: Offset): void {
    if (offset > this.#acked && offset <= this.#sent) this.#acked = offset
    this.#print()
    this.#happened()
  }

  async write(bytes: Uint8Array, numbered?: NumberedInput): Promise<WriteResult> {
    this.#assertAlive()
    return this.#input.write(bytes, numbered)
  }

  async dropInput(): Promise<number> {
    return this.#input.drop()
  }

  resize(size: Size): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#exit !== null || this.isClosed) {
        this.#send(() => reject(ended('cannot resize the terminal')))
        return
      }
      const offset = this.#output.end
      this.#moments.push({ offset, at: this.#clock.wall() })
      this.sizes.push(size)
      this.#resizes.push({ offset, ...size })
      if (this.#resizes.length > resizesMax) this.#resizes.shift()
      this.#send((events) => {
        events.resized?.(offset, size)
        resolve()
      })
    })
  }

  async signal(): Promise<void> {}

  note(meta: string): void {
    this.meta = meta
  }

  answerGate(message: GateAnswer): void {
    this.gateAnswers.push(message)
  }

  watch(on: boolean): void {
    this.watched.push(on)
  }

  close(): Promise<{ readonly survivors: number }> {
    this.isClosed = true
    this.#input.drop()
    return new Promise((resolve) => this.#send(() => resolve({ survivors: 0 })))
  }

  get #pieceBytesMax(): number {
    return this.#delivery === 'held' ? pieceBytesMax : Number.POSITIVE_INFINITY
  }

  get #isExitDue(): boolean {
    return this.#exit !== null && !this.#isExitSent && this.#sent === this.#output.end
  }

  #send(send: (events: PtyEvents) => void): void {
    const events = this.#events
    if (events === null) return
    this.#unsent.push(() => send(events))
    this.#happened()
  }

  #happened(): void {
    if (this.#delivery === 'held') return
    while (this.hasNews && !this.#isDelivering) this.deliver()
  }

  #deliverOutput(events: PtyEvents, maxBytes: number): void {
    this.#sent = Math.max(this.#sent, this.#output.start)
    const bytes = this.#output.read(this.#sent, maxBytes)
    const offset = this.#sent
    this.#sent += bytes.length
    if (bytes.length > 0) events.output(offset, bytes)
    if (!this.#isExitDue || this.#exit === null) return
    this.#isExitSent = true
    events.exit(this.#exit)
  }

  /** While an engine is attached, or about to be, the program waits instead of losing output. */
  #print(): void {
    const isFree = this.#events === null && !this.#isExpected
    const ahead = this.#output.end - this.#acked
    const room = isFree ? Number.POSITIVE_INFINITY : Math.min(this.#logBytes, unparsedBytesMax) - ahead
    if (room <= 0 || this.#unprinted.length === 0) return
    const at = this.#clock.wall()
    if (this.#moments.at(-1)?.at !== at) this.#moments.push({ offset: this.#output.end, at })
    this.#output.append(this.#unprinted.subarray(0, room))
    this.#unprinted = this.#unprinted.subarray(Math.min(room, this.#unprinted.length))
  }

  #assertAlive(): void {
    if (this.#exit !== null || this.isClosed) throw ended('the program has ended')
  }
}

function ended(message: string): TermError {
  return new TermError(
    'session_exited',
    `The terminal host refused: ${message}.`,
    'Look at the terminal with terminal_screenshot, or close it with terminal_close.',
  )
}
