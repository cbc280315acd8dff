/**
 * One session's judge: gathers what a verdict is judged from, and remembers how the program looked when it last waited,
 * so that the next wait is known the sooner.
 */

import type { Clock, Exit } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { Millis, Offset } from '../../contracts/units.ts'
import type { AgentReport } from '../agents/agent-report.ts'
import type { OutputLog } from '../log/output-log.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import { isProgressing, type Mark } from '../marks/mark.ts'
import { type CursorLine, cursorLine } from './cursor-line.ts'
import { judgeTurn, type TurnAnswer } from './judge-turn.ts'
import { promptOf } from './prompt-shape.ts'
import type { Rest } from './rest.ts'
import type { OutputReadings } from './turn-moment.ts'
import { TurnTracker } from './turn-tracker.ts'

export interface TurnSources {
  readonly clock: Clock
  readonly log: OutputLog
  readonly commands: CommandTracker
  readonly modes: {
    readonly alternateScreen: boolean
    readonly bracketedPaste: boolean
    readonly cursorHidden: boolean
  }
  /** What stands left of the cursor on the screen; null while there is none with everything on it. */
  readonly drawnLine: () => string | null
  readonly startedAsShell: boolean
  /** Counts the time spent judging. */
  readonly spent: (ms: Millis) => void
}

/** What only the session knows at this moment. */
export interface TurnMoment {
  readonly exit: Exit | null
  /** Output up to here has been looked at by every view of the log. */
  readonly parsedTo: Offset
  readonly awaitsTerminal: boolean
  readonly lastOutputAt: Millis
  readonly inputUnfinished: boolean
  readonly escapeUntil: Millis
  readonly agent: AgentReport | null
}

const knownPromptsMax = 16
const promptCharactersMax = 200
const answerLookBytes = 8 * 1024
const paintLookBytes = 16 * 1024
/** To a row and a column that are not the first: clearing a screen goes to the first. */
const cursorPlaced = /\x1b\[(?!1;1H)\d+;\d+H/
/** To the first row and column: once, with a cursor to be seen, it may be a clearing; else it is how a screen is shown. */
const cursorHome = /\x1b\[(?:1;1)?H/g

export class TurnJudge implements OutputReadings {
  readonly tracker = new TurnTracker()
  readonly #sources: TurnSources
  readonly #knownPrompts: string[] = []
  #line: { readonly end: Offset; readonly line: CursorLine } | null = null
  /** Log end at the caller's last input. */
  #typedAt: Offset = 0
  #isAnswered = true
  /** Behind its prompt it has waited, since the caller's last input. */
  #hasPrompted = false
  #hasPainted = false
  #lookedForPaintAt: Offset = 0
  #homes = 0
  /** The last input ended a line: its echo is no answer. */
  #typedLine = false
  #pasteOnAt: Offset = -1
  #progressing = false
  /** How the program rests now, and the log's end there; null while it works. */
  #rest: { readonly end: Offset; readonly rest: Rest | null; readonly prompt: string } | null = null

  constructor(sources: TurnSources) {
    this.#sources = sources
  }

  /** The caller has typed something. */
  typed(bytes: Uint8Array): void {
    this.#learnRest()
    this.#typedLine = bytes.includes(carriageReturn)
    this.#typedAt = this.#sources.log.end
    this.#isAnswered = false
    this.#hasPrompted = false
  }

  apply(mark: Mark): void {
    if (mark.kind === 'bracketed-paste' && mark.on) this.#pasteOnAt = mark.offset
    else if (mark.kind === 'progress') this.#progressing = isProgressing(mark)
    else if (mark.kind === 'prompt-start' || mark.kind === 'reset') this.#progressing = false
  }

  /** Another program is in the foreground. */
  programChanged(): void {
    this.#hasPainted = false
    this.#homes = 0
    this.#hasPrompted = false
    this.#progressing = false
    this.#lookedForPaintAt = this.#sources.log.end
  }

  /** The program places what it shows. */
  get isDrawing(): boolean {
    return this.cursorLine().drawn
  }

  judge(moment: TurnMoment): TurnAnswer {
    const { clock, log, commands, modes, startedAsShell, spent } = this.#sources
    const now = clock.now()
    if (this.#rest !== null && this.#rest.end !== log.end) this.#learnRest()
    const { facts, restingSince, lastRest, lastInputAt, consumedAt } = this.tracker
    const answer = judgeTurn({
      now,
      exit: moment.exit,
      logEnd: log.end,
      parsedTo: moment.parsedTo,
      output: this,
      lastOutputAt: moment.lastOutputAt,
      awaitsTerminal: moment.awaitsTerminal,
      lastInputAt,
      inputUnfinished: moment.inputUnfinished,
      escapeUntil: moment.escapeUntil,
      consumedAt,
      facts,
      restingSince,
      lastRest,
      startedAsShell,
      atPrompt: commands.atPrompt,
      continues: commands.continues,
      commandRunning: commands.current !== null,
      alternateScreen: modes.alternateScreen,
      bracketedPaste: modes.bracketedPaste,
      cursorHidden: modes.cursorHidden,
      pasteSinceInput: this.#pasteOnAt >= this.#typedAt,
      progressing: this.#progressing,
      agent: moment.agent,
    })
    if (answer.verdict.state === 'ready' && this.#rest?.end !== log.end) this.#noteRest(answer.verdict.kind)
    spent(clock.now() - now)
    return answer
  }

  /** What this rest tells of the next one. It must not be judged by itself: a prompt is not known because it stands there. */
  #noteRest(kind: Kind | null): void {
    const { before, drawn } = this.cursorLine()
    const { log, modes } = this.#sources
    const asked = drawn || before.trim() !== '' || modes.alternateScreen || modes.cursorHidden
    this.#rest = { end: log.end, rest: this.tracker.restOf(asked, kind), prompt: promptOf(before) }
  }

  /** The rest is over: there was input, or more output. */
  #learnRest(): void {
    if (this.#rest === null) return
    const { rest, prompt } = this.#rest
    this.#rest = null
    if (rest !== null) this.tracker.rested(rest)
    if (prompt === '' || prompt.length > promptCharactersMax || this.#knownPrompts.includes(prompt)) return
    this.#knownPrompts.push(prompt)
    if (this.#knownPrompts.length > knownPromptsMax) this.#knownPrompts.shift()
  }

  /** Read once for each state of the log. Where text was drawn across lines, or a screen keeps it, the screen tells. */
  cursorLine(): CursorLine {
    const { log, modes, drawnLine } = this.#sources
    if (this.#line?.end === log.end) return this.#line.line
    const line = cursorLine(log)
    const isOnScreen = line.drawn || modes.alternateScreen
    const seen = isOnScreen ? drawnLine() : null
    const known = seen === null ? line : { before: seen, drawn: line.drawn }
    // What is not on the screen yet will be in a moment.
    if (!isOnScreen || seen !== null) this.#line = { end: log.end, line: known }
    return known
  }

  /** It places text on the screen, or has done so since it came to the foreground. */
  paints(): boolean {
    if (this.#hasPainted || this.cursorLine().drawn) return true
    const { log } = this.#sources
    if (this.#lookedForPaintAt === log.end) return false
    const since = Math.max(log.start, this.#lookedForPaintAt, log.end - paintLookBytes)
    const { bytes } = log.read({ since, until: log.end })
    this.#lookedForPaintAt = log.end
    const text = Buffer.from(bytes).toString('latin1')
    this.#homes += text.match(cursorHome)?.length ?? 0
    this.#hasPainted = cursorPlaced.test(text) || this.#homes > (this.#sources.modes.cursorHidden ? 0 : 1)
    return this.#hasPainted
  }

  isKnownPrompt(): boolean {
    return this.#knownPrompts.includes(promptOf(this.cursorLine().before))
  }

  promptedSinceInput(): boolean {
    this.#hasPrompted ||= this.answeredSinceInput() && this.isKnownPrompt()
    return this.#hasPrompted
  }

  answeredSinceInput(): boolean {
    if (this.#isAnswered) return true
    const { log } = this.#sources
    const { bytes } = log.read({ since: this.#typedAt, until: Math.min(log.end, this.#typedAt + answerLookBytes) })
    const isKey = !this.#typedLine || this.#sources.modes.alternateScreen
    this.#isAnswered = isKey ? bytes.length > 0 : bytes.includes(lineFeed) || this.cursorLine().drawn
    return this.#isAnswered
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
