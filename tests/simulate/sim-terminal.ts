/** The simulation's knowledge of one terminal: the truth with which all results of the engine are compared. */

import type { Session } from '@agentpty/engine/session'
import type { Size } from '@agentpty/protocol'
import type { FakePty } from '@agentpty/protocol/testing'
import type { Random } from '../harness/random.ts'
import { must } from './broken.ts'
import { type Program, printOf } from './program-output.ts'
import { type Stamp, stampsIn } from './stamps.ts'

/** A reader's position, stored here because the engine has no state of readers. */
export interface Reader {
  next: number
  visited: number
  missed: number
}

/** A reply without brackets in a control sequence: reports of the cursor, modes, colours and the terminal's type. */
const reply = /^(?:\x1b\[[?>]?[\d;]*(?:\$y|[Rncu])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\)+$/

export interface SimTerminalOptions {
  readonly id: string
  readonly program: Program
  readonly pty: FakePty
  readonly size: Size
  readonly now: number
}

/** Text that callers send only as a message. */
const messageText = /msg\d+;/

const arrivalsMax = 200

export class SimTerminal {
  readonly id: string
  readonly program: Program
  readonly pty: FakePty
  /** The size at its start. */
  readonly size: Size
  readonly readers = new Map<number, Reader>()
  /** Input that callers have typed and the program has not taken. */
  readonly typed: string[] = []
  /** Texts of messages sent to it that are neither typed nor taken. */
  readonly messages = new Set<string>()
  /** A daemon was killed while the terminal was open: queries in flight may have no answer. */
  outlivedDaemon = false
  /** Bytes were evicted before a new engine started: its picture may differ. */
  isCut = false
  /** The time at which the host last sent the engine anything. */
  reportedAt = 0
  /** The times at which output arrived at the engine, oldest first; the newest few. */
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

  /** All output of its program. */
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

  /** True if there was no output for this long, until `since` or later. */
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

  /** The invariants of one session between two steps. */
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
      () => `${this.id} retained other bytes ${since}-${until}`,
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

  /** All input that reached the program since the last step was typed by a caller or answers a query. */
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
