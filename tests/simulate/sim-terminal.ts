/** What the simulation knows of one terminal: the truth with which all results of the engine are compared. */

import type { Session } from '@agentpty/engine/session'
import type { Size } from '@agentpty/protocol'
import type { FakePty } from '@agentpty/protocol/testing'
import type { Random } from '../harness/random.ts'
import { must } from './broken.ts'
import { type Program, printOf } from './program-output.ts'
import { type Stamp, stampsIn } from './stamps.ts'

/** A reader's position. It is kept here: the engine keeps no state of readers. */
export interface Reader {
  next: number
  visited: number
  missed: number
}

/** Without one bracketed in a control sequence: reports of the cursor, of modes, of colours, of who the terminal is. */
const reply = /^(?:\x1b\[[?>]?[\d;]*(?:\$y|[Rncu])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\)+$/

export interface SimTerminalOptions {
  readonly id: string
  readonly program: Program
  readonly pty: FakePty
  readonly size: Size
  readonly now: number
}

/** What no caller types but as a message. */
const messageText = /msg\d+;/

const arrivalsMax = 200

export class SimTerminal {
  readonly id: string
  readonly program: Program
  readonly pty: FakePty
  /** As it was opened. */
  readonly size: Size
  readonly readers = new Map<number, Reader>()
  /** What callers have typed and the program has not taken. */
  readonly typed: string[] = []
  /** Texts of messages that were sent to it, and neither typed nor taken. */
  readonly messages = new Set<string>()
  /** A daemon was killed while the terminal was open: questions that were on their way may have no answer. */
  outlivedDaemon = false
  /** Bytes were gone when a new engine came: its picture is not what it would have been. */
  isCut = false
  /** When the host last sent the engine anything. */
  reportedAt = 0
  /** When output arrived at the engine, oldest first; the newest few. */
  readonly #arrivals: number[]
  #truth: Buffer = Buffer.alloc(0)
  #stamps: readonly Stamp[] | null = null
  #questions = 0
  #answers = 0
  #writesSeen = 0
  #seen = { start: 0, end: 0, parsedTo: 0 }

  constructor(options: SimTerminalOptions) {
    this.id = options.id
    this.program = options.program
    this.pty = options.pty
    this.size = options.size
    this.#arrivals = [options.now]
  }

  /** Everything its program has ever printed. */
  get truth(): Buffer {
    return this.#truth
  }

  get questions(): number {
    return this.#questions
  }

  get answers(): number {
    return this.#answers
  }

  get stamps(): readonly Stamp[] {
    this.#stamps ??= stampsIn(this.#truth.toString('latin1'))
    return this.#stamps
  }

  reader(number: number): Reader {
    const reader = this.readers.get(number) ?? { next: 0, visited: 0, missed: 0 }
    this.readers.set(number, reader)
    return reader
  }

  print(random: Random, pieces: number): void {
    if (this.pty.exit !== null) return
    for (let count = 0; count < pieces; count++) {
      const { bytes, questions } = printOf(this.program, random, this.pty.printedTo)
      this.#truth = Buffer.concat([this.#truth, bytes])
      this.#questions += questions
      this.pty.prints(bytes)
    }
    this.#stamps = null
  }

  says(text: string): void {
    if (this.pty.exit !== null) return
    this.#truth = Buffer.concat([this.#truth, Buffer.from(text)])
    this.#stamps = null
    this.pty.prints(text)
  }

  /** Typed, or taken. */
  gotMessages(texts: readonly string[]): void {
    for (const text of texts) must(this.messages.delete(text), 'messages', () => `${this.id} got ${text} again`)
  }

  /** The host has sent something of this terminal, output or not. */
  reported(now: number, isOutput: boolean): void {
    this.reportedAt = now
    if (isOutput) this.#arrivals.push(now)
    if (this.#arrivals.length > arrivalsMax) this.#arrivals.shift()
  }

  /** For this long there was no output, until `since` or later. */
  wasQuiet(ms: number, since: number, now: number): boolean {
    const ends = [...this.#arrivals.slice(1), now]
    return this.#arrivals.some((at, index) => {
      const end = ends[index] ?? now
      return end >= since && end - at >= ms
    })
  }

  exit(code: number): void {
    if (this.pty.exit !== null) return
    this.pty.exits({ code })
    this.#truth = this.#truth.subarray(0, this.pty.end)
    this.#stamps = null
  }

  /** Everything that must hold of one session between two steps. */
  check(session: Session): void {
    const { log, parsedTo } = session
    const seen = { start: log.start, end: log.end, parsedTo }
    const last = this.#seen
    must(
      seen.start >= last.start && seen.end >= last.end && seen.parsedTo >= last.parsedTo,
      'grow',
      () => `${this.id} went from ${JSON.stringify(last)} to ${JSON.stringify(seen)}`,
    )
    must(parsedTo <= log.end && log.end <= this.pty.end, 'grow', () => `${this.id}: ${JSON.stringify(seen)}`)
    const mustGo = Math.max(last.start, log.end - session.info.logBytes)
    must(seen.start <= mustGo, 'evicted', () => `${this.id} evicted ${mustGo}-${seen.start} with room for it`)
    this.#seen = seen
    this.#checkBytes(session, log.start, Math.min(log.end, log.start + 4_096))
    this.#checkBytes(session, Math.max(log.start, log.end - 16_384), log.end)
    this.#checkExit(session)
    this.#checkInput()
  }

  #checkBytes(session: Session, since: number, until: number): void {
    const { bytes, from, next, missedBytes } = session.log.read({ since, until })
    must(from === since && next === until && missedBytes === 0, 'meaning', () => `${this.id} reads ${from}-${next}`)
    must(
      this.#truth.subarray(since, until).equals(bytes),
      'meaning',
      () => `${this.id} kept other bytes ${since}-${until}`,
    )
  }

  #checkExit({ exit, log, parsedTo }: Session): void {
    if (exit === null || this.pty.isClosed) return
    must(this.pty.exit !== null, 'exit', () => `${this.id} has not ended`)
    must(
      log.end === this.pty.end && parsedTo === log.end,
      'exit',
      () => `${this.id} ended at ${this.pty.end}, the exit was reported at ${parsedTo} of ${log.end}`,
    )
  }

  /** What has reached the program since the last step was typed by somebody, or answers a question. */
  #checkInput(): void {
    for (const bytes of this.pty.writes.slice(this.#writesSeen)) {
      const input = Buffer.from(bytes).toString()
      const at = this.typed.indexOf(input)
      if (at >= 0) this.typed.splice(at, 1)
      else if (messageText.test(input)) this.gotMessages(input.match(new RegExp(messageText, 'g')) ?? [])
      else if (reply.test(input)) this.#answers++
      else if (this.program !== 'wild') {
        must(false, 'injects', () => `${this.id} got ${JSON.stringify(input)}, expected ${JSON.stringify(this.typed)}`)
      }
    }
    this.#writesSeen = this.pty.writes.length
    if (this.program === 'wild') return
    must(this.#answers <= this.#questions, 'answers', () => `${this.#answers} answers to ${this.#questions} questions`)
  }
}
