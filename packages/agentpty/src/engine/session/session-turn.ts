/** Whose turn it is in one session: all that is known for it, kept together, and told to those who listen. */

import type { Clock, Exit, Facts, Pty } from '../../contracts/ports.ts'
import type { SessionInfo } from '../../contracts/session/session-info.ts'
import type { Millis, Offset } from '../../contracts/units.ts'
import { AgentWatch } from '../agents/agent-watch.ts'
import type { ScreenText } from '../agents/screen-signs.ts'
import type { OutputLog } from '../log/output-log.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import type { Mark } from '../marks/mark.ts'
import { FactWatch } from '../turn/fact-watch.ts'
import type { TurnAnswer } from '../turn/judge-turn.ts'
import { TurnFeed } from '../turn/turn-feed.ts'
import { TurnJudge } from '../turn/turn-judge.ts'
import { lineTooLong } from './input-errors.ts'
import type { LazyScreen } from './lazy-screen.ts'
import type { TerminalModes } from './terminal-modes.ts'

export interface SessionTurnOptions {
  readonly clock: Clock
  readonly pty: Pty
  readonly info: SessionInfo
  readonly log: OutputLog
  readonly commands: CommandTracker
  readonly modes: TerminalModes
  readonly screen: LazyScreen
  readonly spent: (ms: Millis) => void
  readonly moment: () => SessionMoment
}

/** What only the session knows. */
export interface SessionMoment {
  readonly exit: Exit | null
  /** Output up to here has been looked at by every view of the log. */
  readonly parsedTo: Offset
  /** The program has asked the terminal something that has not been answered. */
  readonly awaitsTerminal: boolean
  readonly lastOutputAt: Millis
  readonly escapeUntil: Millis
}

/** A busy machine may take so long to tell the modes of a terminal. */
const modesLookMs = 250

export class SessionTurn {
  readonly agent = new AgentWatch()
  readonly feed: TurnFeed
  readonly #options: SessionTurnOptions
  readonly #judge: TurnJudge
  readonly #factWatch: FactWatch
  /** Callers that are in the middle of typing. */
  #typists = 0
  #foreground = 0
  /** The foreground program waits as programs with an event loop do: only such are looked at for an agent's signs. */
  #hasEventLoop = false
  /** The terminal edits lines for its program, as far as was seen since facts flow; null when it was not. */
  #readsLines: boolean | null = null
  #onFacts: (() => void)[] = []
  #text: { readonly end: Offset; readonly text: ScreenText } | null = null

  constructor(options: SessionTurnOptions) {
    const { clock, pty, info, log, commands, modes, spent } = options
    this.#options = options
    const startedAsShell = info.shell !== null
    const drawnLine = () => this.#drawnLine()
    this.#judge = new TurnJudge({ clock, log, commands, modes, startedAsShell, drawnLine, spent })
    this.#factWatch = new FactWatch(clock, pty, () => {
      this.tracker.forget()
      this.#readsLines = null
    })
    this.feed = new TurnFeed(clock, () => this.judge())
  }

  /** It waits for many things at once, as agents and other programs with an event loop do. */
  get hasEventLoop(): boolean {
    return this.#hasEventLoop
  }

  /** What was written is known to lie in the terminal, unread. */
  get inputUnread(): boolean {
    const { facts } = this.tracker
    return facts !== null && (facts.inputPending || facts.unread > 0)
  }

  /** Before a long line is typed. Errors: `line_too_long` when the terminal edits lines for its program, and cuts them. */
  async admitLine(bytes: number): Promise<void> {
    const { clock, info } = this.#options
    const release = this.watch()
    if (this.#readsLines === null) {
      await new Promise<void>((told) => {
        this.#onFacts.push(told)
        clock.callAt(clock.now() + modesLookMs, told)
      })
    }
    release()
    if (this.#readsLines) throw lineTooLong(info.id, bytes)
  }

  get tracker(): TurnJudge['tracker'] {
    return this.#judge.tracker
  }

  /** Holds kernel facts flowing until the answer is called. */
  watch(): () => void {
    return this.#factWatch.hold()
  }

  /** Until the answer is called, more input follows: it is not the caller's turn however the program looks. */
  type(): () => void {
    this.#typists++
    return () => {
      this.#typists--
      this.feed.look()
    }
  }

  /** The caller has typed something. */
  typed(bytes: Uint8Array): void {
    this.#judge.typed(bytes)
    this.agent.typed()
    this.feed.look()
  }

  apply(mark: Mark, now: Millis): void {
    this.#judge.apply(mark)
    this.agent.apply(mark, now)
  }

  learn(facts: Facts, now: Millis): void {
    this.tracker.learn(facts, now)
    if (facts.foreground !== this.#foreground) {
      this.#foreground = facts.foreground
      this.#hasEventLoop = false
      this.agent.programChanged()
      this.#judge.programChanged()
    }
    if (facts.wait === 'epoll' && !facts.canonical) this.#hasEventLoop = true
    this.#readsLines = facts.canonical
    for (const told of this.#onFacts.splice(0)) told()
  }

  judge(): TurnAnswer {
    const { clock, moment } = this.#options
    const { exit, parsedTo, awaitsTerminal, lastOutputAt, escapeUntil } = moment()
    const agent = exit === null ? this.agent.report(() => this.#screenText(), clock.now()) : null
    const inputUnfinished = this.#typists > 0
    return this.#judge.judge({ exit, parsedTo, awaitsTerminal, lastOutputAt, escapeUntil, inputUnfinished, agent })
  }

  /** The program has ended: there is nothing to know any more. */
  stop(): void {
    this.#factWatch.stop()
  }

  /** Null while there is nothing to see, or not all of it is drawn. */
  #screenText(): ScreenText | null {
    const { log, modes, screen } = this.#options
    if (!this.#hasEventLoop || !(modes.alternateScreen || modes.cursorHidden || this.#judge.isDrawing)) return null
    screen.ensure()
    const { upToDate } = screen
    if (upToDate === null) return this.#text?.text ?? null
    if (this.#text?.end !== log.end) {
      const { text, cursor } = upToDate.snapshot()
      this.#text = { end: log.end, text: { rows: text, cursorVisible: cursor.visible } }
    }
    return this.#text.text
  }

  #drawnLine(): string | null {
    const { screen } = this.#options
    screen.ensure()
    return screen.upToDate?.textBeforeCursor() ?? null
  }
}
