/**
 * Reads the state of the program from its output: the line at the cursor, whether it draws, whether it has answered the input.
 *
 * Each is read only when it is asked for. Once true, it stays true until the next input, or until another program
 * comes to the foreground.
 */

import type { Millis, Offset } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import type { ScreenText } from '../agents/screen-signs.ts'
import type { OutputLog } from '../log/output-log.ts'
import { type CaretLine, caretLineOf } from '../screen/drawn-caret.ts'
import type { Screen } from '../screen/screen.ts'
import { type CursorLine, cursorLine, isMarkedQuestion, isWholeQuestion, lastLine, linesAbove } from './prompt-shape.ts'
import type { RestMemory } from './rest.ts'
import { SameScreen } from './same-screen.ts'
import type { OutputReadings } from './turn-moment.ts'

interface OutputSources {
  readonly log: OutputLog
  readonly modes: { readonly alternateScreen: boolean; readonly cursorHidden: boolean }
  readonly screen: ScreenReader
  readonly rests: RestMemory
  /** Where the output of the shell's running command begins by its marks; null where it is not known. */
  readonly commandStart: () => Offset | null
}

interface TextStart {
  readonly at: Offset
  /** A line was typed there: the first line of output is its echo. */
  readonly isBehindLine: boolean
}

/** Bytes after the input that are searched for an answer. */
const answerBytes = 8 * 1024
/** Bytes before the log's end that are searched for drawing. */
const paintBytes = 16 * 1024
/** Moves to a row and a column that are not the first; clearing a screen moves to the first. */
const cursorPlaced = /\x1b\[(?!1;1H)\d+;\d+H/
/** Moves to the first row and column: once, with a visible cursor, it may be a clearing; else the program draws a screen. */
const cursorHome = /\x1b\[(?:1;1)?H/g
/** Keys whose echo is recognized; more of them are text. */
const echoCharactersMax = 1_000
const lineFeed = 0x0a
const carriageReturn = 0x0d

export class OutputReader implements OutputReadings {
  readonly #sources: OutputSources
  readonly #same: SameScreen
  #line: { readonly end: Offset; readonly line: CursorLine } | null = null
  /** Log end at the caller's last input. */
  #typedAt: Offset = 0
  /** The last input ended a line: its echo is no answer. */
  #typedLine = false
  #isAnswered = true
  /** It has waited at its prompt since the caller's last input. */
  #hasPrompted = false
  /** The last input before the program came to the foreground. */
  #begun: TextStart = { at: 0, isBehindLine: false }
  /** The last input that the terminal edited, for the program in the foreground. */
  #editedLine: TextStart | null = null
  /** Keys typed since then: a far end may echo them before its program reads them. */
  #keysTyped = ''
  /** Text was found behind this offset. */
  #textFrom: Offset | null = null
  #hasPainted = false
  #searchedForPaintTo: Offset = 0
  /** The number of times that the cursor has gone home. */
  #homes = 0

  constructor(sources: OutputSources) {
    this.#sources = sources
    this.#same = new SameScreen(sources.log)
  }

  get typedAt(): Offset {
    return this.#typedAt
  }

  /** Where the output ended when the last line was entered, if nothing was typed since; before all output otherwise. */
  get enteredAt(): Offset {
    return this.#typedLine ? this.#typedAt : -1
  }

  lineEntered(): boolean {
    return this.#typedLine
  }

  /** The caller has typed something; `readsLines`: into a terminal that edits lines. */
  typed(bytes: Uint8Array, readsLines: boolean): void {
    this.#typedLine = bytes.includes(carriageReturn)
    this.#typedAt = this.#sources.log.end
    if (readsLines) this.#editedLine = { at: this.#typedAt, isBehindLine: this.#typedLine }
    const keys = readsLines ? '' : this.#keysTyped + Buffer.from(bytes).toString('latin1')
    this.#keysTyped = keys.slice(0, echoCharactersMax)
    this.#isAnswered = false
    this.#hasPrompted = false
  }

  /** Another program is in the foreground; `isFirst`: no other one is known to have been there. */
  programChanged(isFirst: boolean): void {
    this.#begun = isFirst ? { at: 0, isBehindLine: false } : { at: this.#typedAt, isBehindLine: this.#typedLine }
    this.#editedLine = null
    this.#keysTyped = ''
    this.#hasPainted = false
    this.#homes = 0
    this.#hasPrompted = false
    this.#searchedForPaintTo = this.#sources.log.end
  }

  hasShownText(): boolean {
    const at = this.#sources.commandStart()
    const begin = at === null ? this.#begun : { at, isBehindLine: false }
    return this.#hasText(this.#editedLine !== null && this.#editedLine.at > begin.at ? this.#editedLine : begin)
  }

  /** True as well where the beginning is no longer kept. */
  #hasText({ at, isBehindLine }: TextStart): boolean {
    const { log } = this.#sources
    if (at < log.start || at === this.#textFrom) return true
    const { bytes } = log.read({ since: at, until: Math.min(log.end, at + answerBytes) })
    const shown = bytes.subarray(isBehindLine ? bytes.indexOf(lineFeed) + 1 : 0)
    const text = printed(Buffer.from(shown).toString('latin1'))
    const hasText = !printed(this.#keysTyped).startsWith(text) || at + answerBytes < log.end
    if (hasText) this.#textFrom = at
    return hasText
  }

  /** Read once for each state of the log; from the screen where text was drawn across lines or a screen is kept anyway. */
  cursorLine(): CursorLine {
    const { log, modes, screen } = this.#sources
    if (this.#line?.end === log.end) return this.#line.line
    const line = cursorLine(log)
    const isOnScreen = line.drawn || modes.alternateScreen
    const seen = isOnScreen ? screen.cursorRow() : null
    const known = seen === null ? line : { ...seen, drawn: line.drawn }
    // The rest will be on the screen in a moment.
    if (!isOnScreen || seen !== null) this.#line = { end: log.end, line: known }
    return known
  }

  caretLine(): CaretLine | null {
    const { log, screen } = this.#sources
    return screen.caretLine(log.end)
  }

  lastLine(): string {
    return lastLine(this.#sources.log)
  }

  /** The program draws at positions of the screen, or has done so since it came to the foreground. */
  paints(): boolean {
    if (this.#hasPainted || this.cursorLine().drawn) return true
    const { log, modes } = this.#sources
    if (this.#searchedForPaintTo === log.end) return false
    const since = Math.max(log.start, this.#searchedForPaintTo, log.end - paintBytes)
    const { bytes } = log.read({ since, until: log.end })
    this.#searchedForPaintTo = log.end
    const text = Buffer.from(bytes).toString('latin1')
    this.#homes += text.match(cursorHome)?.length ?? 0
    this.#hasPainted = cursorPlaced.test(text) || this.#homes > (modes.cursorHidden ? 0 : 1)
    return this.#hasPainted
  }

  sameScreenSince(now: Millis): Millis | null {
    return this.#same.since(now)
  }

  isKnownPrompt(): boolean {
    return this.#sources.rests.isKnownPrompt(this.cursorLine().before)
  }

  promptedSinceInput(): boolean {
    this.#hasPrompted ||= this.answeredSinceInput() && this.isKnownPrompt()
    return this.#hasPrompted
  }

  asksAbove(): boolean {
    const [last, before] = this.#linesAbove()
    return isWholeQuestion(last) || isMarkedQuestion(before)
  }

  asksWithMarkAbove(): boolean {
    return this.#linesAbove().some(isMarkedQuestion)
  }

  /** The last two lines that the program has written since the input, if the cursor is on an empty line below them. */
  #linesAbove(): readonly [string, string] {
    const { log } = this.#sources
    if (this.cursorLine().before.trim() !== '') return ['', '']
    if (!this.#typedLine) return linesAbove(log, this.#typedAt)
    // The first line is the echo of the input.
    const { bytes } = log.read({ since: this.#typedAt, until: Math.min(log.end, this.#typedAt + answerBytes) })
    const echo = bytes.indexOf(lineFeed)
    return echo < 0 ? ['', ''] : linesAbove(log, this.#typedAt + echo + 1)
  }

  answeredSinceInput(): boolean {
    if (this.#isAnswered) return true
    const { log, modes } = this.#sources
    const { bytes } = log.read({ since: this.#typedAt, until: Math.min(log.end, this.#typedAt + answerBytes) })
    const isKey = !this.#typedLine || modes.alternateScreen
    this.#isAnswered = isKey ? bytes.length > 0 : bytes.includes(lineFeed) || this.cursorLine().drawn
    return this.#isAnswered
  }
}

/** Without escape sequences, other control characters and blanks. */
function printed(text: string): string {
  return withoutEscapes(text).replaceAll(/[\x00-\x20\x7f]/g, '')
}

/** A screen that is made when it is first needed. */
export interface ScreenSource {
  ensure(): void
  /** The screen, if there is one with all of the log on it. */
  readonly upToDate: Screen | null
}

/** The parts of a session's screen that are read to judge its turn. Reading them creates the screen if there is none yet. */
export class ScreenReader {
  readonly #screen: ScreenSource
  #last: { readonly end: Offset; readonly text: ScreenText } | null = null
  #caret: { readonly end: Offset; readonly line: CaretLine | null } | null = null

  constructor(screen: ScreenSource) {
    this.#screen = screen
  }

  /** The row of the cursor; null while not all of the log is drawn. */
  cursorRow(): ReturnType<Screen['cursorRow']> | null {
    this.#screen.ensure()
    return this.#screen.upToDate?.cursorRow() ?? null
  }

  /** The line of the caret that the program draws at the log's end; null without one, and while not all is drawn. */
  caretLine(end: Offset): CaretLine | null {
    this.#screen.ensure()
    const { upToDate } = this.#screen
    if (upToDate === null) return null
    if (this.#caret?.end !== end) this.#caret = { end, line: caretLineOf(upToDate.picture()) }
    return this.#caret.line
  }

  /** The whole text at the log's end; while not all is drawn, the last one that was. Null when there was none. */
  text(end: Offset): ScreenText | null {
    this.#screen.ensure()
    const { upToDate } = this.#screen
    if (upToDate !== null && this.#last?.end !== end) {
      const { text, cursor } = upToDate.snapshot()
      this.#last = { end, text: { rows: text, cursorVisible: cursor.visible } }
    }
    return this.#last?.text ?? null
  }
}
