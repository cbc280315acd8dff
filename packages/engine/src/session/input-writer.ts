/**
 * Input on its way to the program. From the moment it is handed over, evidence from before it does not count, even when
 * it is written a little later because an Escape must settle first.
 */

import {
  type Clock,
  canonicalLineBytesMax,
  coalesced,
  type Facts,
  type Millis,
  type NumberedInput,
  type Offset,
  type Pty,
  replyBytesMax,
  unparsedBytesMax,
  type WriteResult,
  writePieceBytes,
} from '@agentpty/protocol'
import { controlByte } from '@agentpty/protocol/escapes'
import type { EchoState, Verdict } from '@agentpty/protocol/session'
import type { FactTracker } from '../turn/turn-feed.ts'

interface Sending {
  /** Called just before the bytes go; what it throws keeps them from going. */
  readonly admit: () => void
  /** Waits for nothing that is on its way. */
  readonly isUrgent: boolean
  readonly numbered: NumberedInput | undefined
}

export class InputWriter {
  readonly #clock: Clock
  readonly #pty: Pty
  readonly #facts: FactTracker
  readonly #escape: EscapePause
  readonly #line = new LineLength()
  /** Called with the length in bytes before a line is typed that a terminal may cut; rejects when it would be cut. */
  readonly #admitLine: (bytes: number) => Promise<void>
  /** Answers that are written together. */
  #replies: Uint8Array[] = []
  readonly #sendRepliesSoon = coalesced(() => this.#sendReplies())
  /** Bytes of answers that have not reached the terminal. */
  #replyBytes = 0
  #droppedReplies = 0
  /** Resolves when the newest writer has waited for an Escape to settle; null without waiting writers. */
  #waiting: Promise<unknown> | null = null

  constructor(clock: Clock, pty: Pty, facts: FactTracker, admitLine: (bytes: number) => Promise<void>) {
    this.#admitLine = admitLine
    this.#clock = clock
    this.#pty = pty
    this.#facts = facts
    this.#escape = new EscapePause(clock)
  }

  /** Before this time the program may still take the last Escape for the start of another key. */
  get escapeUntil(): Millis {
    return this.#escape.until
  }

  /** Types the caller's bytes. Errors: `line_too_long` when the terminal would cut the line, and those of `admit`. On an error nothing is typed. */
  async write(bytes: Uint8Array, sending: Sending): Promise<WriteResult> {
    this.#facts.sent(piecesOf(bytes), this.#clock.now())
    const isShort = this.#line.longestWith(bytes) <= canonicalLineBytesMax
    const isFree = isShort && !this.#escape.isOn && this.#waiting === null
    if (isFree || sending.isUrgent) return this.#send(bytes, sending)
    // One after the other: the pause may be over before a late timer has released earlier writers.
    const mine = (this.#waiting ?? Promise.resolve()).then(() => this.#sendInTurn(bytes, sending))
    // The next writer waits for its turn, and not for the result of this write.
    const turn = mine.catch(() => undefined)
    this.#waiting = turn
    await turn
    if (this.#waiting === turn) this.#waiting = null
    return (await mine).written
  }

  /** The promise is in an object, so that the next writer waits for its turn and not for the program to read. */
  async #sendInTurn(bytes: Uint8Array, sending: Sending): Promise<{ readonly written: Promise<WriteResult> }> {
    if (this.#escape.isOn) await this.#escape.over()
    const length = this.#line.longestWith(bytes)
    try {
      if (length > canonicalLineBytesMax) await this.#admitLine(length)
    } catch (error) {
      this.#facts.refused(piecesOf(bytes))
      throw error
    }
    return { written: this.#send(bytes, sending) }
  }

  #send(bytes: Uint8Array, { admit, numbered }: Sending): Promise<WriteResult> {
    try {
      admit()
    } catch (error) {
      this.#facts.refused(piecesOf(bytes))
      throw error
    }
    this.#sendReplies()
    this.#escape.sent(bytes)
    this.#line.typed(bytes)
    return this.#deliver(bytes, numbered)
  }

  /**
   * Writes an answer of the terminal itself, without waiting for it to arrive. A program that asks on and on and never
   * reads gets no more answers than its terminal can hold; the others are dropped, and counted.
   */
  reply(bytes: Uint8Array): void {
    if (this.#replyBytes + bytes.length > replyBytesMax) {
      this.#droppedReplies += 1
      return
    }
    this.#replyBytes += bytes.length
    this.#replies.push(bytes)
    this.#sendRepliesSoon()
  }

  /** An answer of the terminal has not been sent yet: all facts about the program are from before it. */
  get isReplying(): boolean {
    return this.#replies.length > 0
  }

  /** Answers that no program has been given, because it did not read those before. */
  get droppedReplies(): number {
    return this.#droppedReplies
  }

  #sendReplies(): void {
    if (this.#replies.length === 0) return
    const bytes = Buffer.concat(this.#replies)
    this.#replies = []
    this.#facts.sent(piecesOf(bytes), this.#clock.now())
    const arrived = () => {
      this.#replyBytes -= bytes.length
    }
    // A program that ended meanwhile simply does not get its answer.
    this.#deliver(bytes).then(arrived, arrived)
  }

  async #deliver(bytes: Uint8Array, numbered?: NumberedInput): Promise<WriteResult> {
    try {
      return await this.#pty.write(bytes, numbered)
    } catch (error) {
      this.#facts.refused(piecesOf(bytes))
      throw error
    }
  }
}

/** The host reports each piece. */
function piecesOf(bytes: Uint8Array): number {
  return Math.max(1, Math.ceil(bytes.length / writePieceBytes))
}

/** Longer than programs wait for the rest of a key: vim and fzf 100 ms, readline and curses less or by configuration. */
const pauseMs = 150

/** The pause after a lone Escape distinguishes it from the start of a longer key. The next input waits for its end. */
class EscapePause {
  readonly #clock: Clock
  #until: Millis = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The end of the pause that the last input began; in the past when it began none. */
  get until(): Millis {
    return this.#until
  }

  get isOn(): boolean {
    return this.#until > this.#clock.now()
  }

  /** Resolves when the pause is over. */
  over(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.callAt(this.#until, resolve)
    })
  }

  /** These bytes go to the program now. */
  sent(bytes: Uint8Array): void {
    if (bytes.at(-1) === controlByte.esc) this.#until = this.#clock.now() + pauseMs
  }
}

/** Keys that end a line there, or drop it: return, line feed, ctrl+d, ctrl+c, ctrl+u, ctrl+z, ctrl+\. */
const lineEnds: ReadonlySet<number> = new Set([0x0d, 0x0a, 0x04, 0x03, 0x15, 0x1a, 0x1c])

/**
 * The length of the line that is being typed. A terminal that edits lines for its program keeps `canonicalLineBytesMax`
 * bytes of one and drops the rest silently, so the length must be known before.
 */
export class LineLength {
  /** Bytes that were typed since the last line end. */
  #openBytes = 0

  /** Bytes of the longest line that typing these would make, without its line end. */
  longestWith(bytes: Uint8Array): number {
    if (this.#openBytes + bytes.length < shortBytes) return this.#openBytes + bytes.length
    let longest = 0
    let open = this.#openBytes
    for (const byte of bytes) {
      open = lineEnds.has(byte) ? 0 : open + 1
      longest = Math.max(longest, open)
    }
    return longest
  }

  typed(bytes: Uint8Array): void {
    const last = bytes.findLastIndex((byte) => lineEnds.has(byte))
    this.#openBytes = last < 0 ? this.#openBytes + bytes.length : bytes.length - 1 - last
  }
}

/** No system limits lines to less. */
const shortBytes = 256

type EchoFacts = Pick<Facts, 'canonical' | 'echo'>

export interface EchoMoment {
  readonly verdict: Verdict
  /** Null while there are none from after the last input. */
  readonly facts: EchoFacts | null
  readonly alternateScreen: boolean
  /** By the shell's marks. */
  readonly atPrompt: boolean
}

/**
 * Predicts whether the next input will be echoed, for clients that show it before the terminal does. The kernel's facts show it (the
 * terminal edits lines and echoes them), or a shell's own mark of its prompt. After a control character, above all Enter, it is unknown
 * until the program has read that and waits again. So input typed ahead of a question for a password is never expected to be shown.
 */
export class EchoGate {
  #state: EchoState = { echoes: false, controls: 0 }

  /** The same object until it changes. */
  get state(): EchoState {
    return this.#state
  }

  typed(bytes: Uint8Array): void {
    const controls = bytes.filter((byte) => byte < 0x20).length
    if (controls > 0) this.#state = { echoes: false, controls: this.#state.controls + controls }
  }

  look(moment: EchoMoment): void {
    const { echoes, controls } = this.#state
    const now = echoes ? staysOpen(moment) : opens(moment)
    if (now !== echoes) this.#state = { echoes: now, controls }
  }
}

/** Only facts from after the last input count. */
function opens({ verdict, facts, alternateScreen, atPrompt }: EchoMoment): boolean {
  if (alternateScreen || verdict.state !== 'ready' || verdict.kind === 'password' || facts === null) return false
  return echoesLines(facts) || (atPrompt && verdict.kind === 'shell')
}

/** Letters of the line leave it unchanged. */
function staysOpen({ verdict, facts, alternateScreen, atPrompt }: EchoMoment): boolean {
  if (alternateScreen || verdict.kind === 'password' || verdict.state === 'exited') return false
  if (facts?.canonical) return facts.echo
  return facts === null || atPrompt
}

const echoesLines = ({ canonical, echo }: EchoFacts): boolean => canonical && echo

/** Share of what the host lets us fall behind and its ring holds: most sessions never need to acknowledge. */
const ackShare = 1 / 8

/** Reports to the host how far its output has been taken in, seldom: it is asked for no more than it needs. */
export class Acknowledger {
  readonly #pty: Pick<Pty, 'ack'>
  readonly #everyBytes: number
  #ackedTo: Offset

  /** @param logBytes - What the host's ring holds. */
  constructor(pty: Pick<Pty, 'ack'>, start: Offset, logBytes: number) {
    this.#pty = pty
    this.#everyBytes = ackShare * Math.min(unparsedBytesMax, logBytes)
    this.#ackedTo = start
  }

  /** All output up to here has been taken in. */
  takenTo(offset: Offset): void {
    if (offset < this.#ackedTo + this.#everyBytes) return
    this.#ackedTo = offset
    this.#pty.ack(offset)
  }
}
