/**
 * The turn of one session: the state from which it is judged.
 *
 * The session reports events (input, marks, facts) and passes in the moment to be judged by value. `judgeTurn` makes the
 * verdict of it. This module never calls the session.
 */

import { basename } from 'node:path'
import { type Clock, changeBefore, type Facts, type Millis, type Offset, type Pty, type Stop } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import { AgentWatch } from '../agents/agent-watch.ts'
import type { AgentReport } from '../agents/program-status.ts'
import type { ScreenText } from '../agents/screen-signs.ts'
import type { OutputLog } from '../log/output-log.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import { isProgressing, type Mark, marksPrompts } from '../marks/parse-osc.ts'
import { judgeTurn, type TurnAnswer } from './judge-turn.ts'
import { OutputReader, ScreenReader, type ScreenSource } from './output-reader.ts'
import { namesCommand } from './prompt-shape.ts'
import { KnownWaits, RestMemory } from './rest.ts'
import { FactTracker, FactWatch } from './turn-feed.ts'
import type { TurnMoment } from './turn-moment.ts'

export interface TurnSources {
  readonly clock: Clock
  readonly pty: Pty
  readonly log: OutputLog
  readonly commands: CommandTracker
  readonly modes: Pick<TurnMoment, 'alternateScreen' | 'bracketedPaste' | 'cursorHidden'> & {
    screenSince(offset: Offset): Offset
  }
  readonly screen: ScreenSource
  /** Null where the session was not started as a shell. */
  readonly shell: string | null
  readonly argv: readonly string[]
  readonly spent: (ms: Millis) => void
}

/** The program that has the terminal. */
export interface Foreground {
  readonly group: number
  readonly name: string
  /** It has a terminal inside this one. */
  readonly isInner: boolean
}

/** The part of the moment that only the session knows. */
export type SessionMoment = Pick<
  TurnMoment,
  'exit' | 'isPaused' | 'parsedTo' | 'awaitsTerminal' | 'lastOutputAt' | 'escapeUntil'
>

/** A busy machine may take this many ms to report the modes of a terminal. */
const modesMs = 250

/** The properties of the program in the foreground besides its turn. */
export type ForegroundProgram = Pick<
  Turn,
  | 'foreground'
  | 'lastInputAt'
  | 'hasEventLoop'
  | 'inputUnread'
  | 'nextFacts'
  | 'agentTookInput'
  | 'agentHasWorked'
  | 'readsLines'
  | 'latestFacts'
>

export class Turn {
  /** The writers of input report to it. */
  readonly facts = new FactTracker()
  readonly #sources: TurnSources
  readonly #agent = new AgentWatch()
  readonly #rests = new RestMemory()
  readonly #waits = new KnownWaits()
  readonly #screen: ScreenReader
  readonly #output: OutputReader
  readonly #factWatch: FactWatch
  /** Callers that are in the middle of typing. */
  #typists = 0
  #foreground: Foreground = { group: 0, name: '', isInner: false }
  /** The foreground program waits as event loops do: only such programs are searched for an agent's signs. */
  #hasEventLoop = false
  /** The terminal edits lines for its program, by the facts since they come; null when there are none. */
  #readsLines: boolean | null = null
  /** Called once with the next facts. */
  readonly #onFacts = new Set<() => void>()
  #pasteOnAt: Offset = -1
  #progressing = false

  constructor(sources: TurnSources) {
    const { clock, pty, log, modes, commands } = sources
    this.#sources = sources
    this.#screen = new ScreenReader(sources.screen)
    this.#output = new OutputReader({
      log,
      modes,
      screen: this.#screen,
      rests: this.#rests,
      commandStart: () => commands.current?.outputStart ?? null,
    })
    this.#factWatch = new FactWatch(clock, pty, () => {
      this.facts.reset()
      this.#readsLines = null
    })
  }

  get foreground(): Foreground {
    return this.#foreground
  }

  /** Null while there are none from after the last input. */
  get latestFacts(): Facts | null {
    return this.facts.facts
  }

  /** When something was last typed; 0 before that. */
  get lastInputAt(): Millis {
    return this.facts.lastInputAt
  }

  /** It waits for many things together, as agents and other programs with an event loop do. */
  get hasEventLoop(): boolean {
    return this.#hasEventLoop
  }

  /** An agent has shown by what it does that it has taken the last input. */
  get agentTookInput(): boolean {
    return this.#agent.tookInput
  }

  /** Whether the agent in the foreground has worked. */
  get agentHasWorked(): boolean {
    return this.#agent.hasWorked
  }

  /** Input is known to be in the terminal, unread. */
  get inputUnread(): boolean {
    const { facts } = this.facts
    return facts !== null && (facts.inputPending || facts.unread > 0)
  }

  /** Does the terminal edit lines for its program? Waits for facts where none have come; null when it stays unknown. */
  async readsLines(): Promise<boolean | null> {
    const { clock } = this.#sources
    const release = this.watch()
    if (this.#readsLines === null) await this.nextFacts(clock.now() + modesMs)
    release()
    return this.#readsLines
  }

  /** Resolves with the next facts, but no later than at this time, and when the program has ended. */
  async nextFacts(latest: Millis): Promise<void> {
    await changeBefore(this.#onFacts, { clock: this.#sources.clock, latest })
  }

  /** Keeps kernel facts coming; returns a function that ends this. */
  watch(): Stop {
    return this.#factWatch.hold()
  }

  /** More input follows: it is not the caller's turn whatever the program does; returns a function that ends this. */
  holdInput(ended: () => void): Stop {
    this.#typists++
    return () => {
      this.#typists--
      ended()
    }
  }

  /** The caller has typed something. */
  typed(bytes: Uint8Array): void {
    this.#rests.ended('input')
    this.#waits.ended('input')
    this.#output.typed(bytes, this.#readsLines ?? this.#rests.lastRest?.canonical === true)
    this.#agent.typed(bytes)
  }

  /** The program may draw again without having worked. */
  resized(): void {
    this.#waits.disturbed()
  }

  apply(mark: Mark, now: Millis): void {
    if (mark.kind === 'bracketed-paste' && mark.on) this.#pasteOnAt = mark.offset
    else if (mark.kind === 'progress') this.#progressing = isProgressing(mark)
    else if (mark.kind === 'prompt-start' || mark.kind === 'reset') this.#progressing = false
    this.#agent.apply(mark, now)
  }

  learn(facts: Facts, now: Millis): void {
    this.facts.learn(facts, now)
    if (facts.foreground !== this.#foreground.group) this.#programChanged()
    this.#foreground = { group: facts.foreground, name: facts.name, isInner: facts.inner }
    if (facts.wait === 'epoll' && !facts.canonical) this.#hasEventLoop = true
    this.#readsLines = facts.canonical
    for (const resolve of this.#onFacts) resolve()
  }

  judge(known: SessionMoment): TurnAnswer {
    const { clock, log, spent } = this.#sources
    const agent = known.exit === null ? this.#agentReport() : null
    const now = clock.now()
    const { restsAt } = this.#rests
    if (restsAt !== null && restsAt !== log.end) {
      this.#rests.ended('itself')
      this.#waits.ended('itself')
    }
    const answer = judgeTurn(this.#momentAt(now, known, agent))
    if (answer.verdict.state === 'ready' && this.#rests.restsAt !== log.end) this.#noteRest(answer.verdict)
    if (answer.asksHost) this.#factWatch.ask()
    spent(clock.now() - now)
    return answer
  }

  /** The program has ended: there is nothing to know any more. */
  stop(): void {
    this.#factWatch.stop()
    for (const resolve of this.#onFacts) resolve()
  }

  #programChanged(): void {
    this.#hasEventLoop = false
    this.#progressing = false
    this.#agent.programChanged()
    this.#output.programChanged(this.#foreground.group === 0)
  }

  #momentAt(now: Millis, known: SessionMoment, agent: AgentReport | null): TurnMoment {
    const { log, commands, modes, shell, argv } = this.#sources
    const { facts, restingSince, lastInputAt, consumedAt, othersWorkedAt } = this.facts
    return {
      ...known,
      now,
      logEnd: log.end,
      output: this.#output,
      othersWorkedAt,
      lastInputAt,
      inputUnfinished: this.#typists > 0,
      consumedAt,
      facts,
      restingSince,
      lastRest: this.#rests.lastRest,
      lastNap: this.#rests.lastNap,
      wentOn: this.#rests.wentOn,
      waitIsKnown: this.#waits.has(facts, modes),
      shell: shell === null ? null : basename(shell),
      awaitsPrompt: marksPrompts(shell) && !commands.atPrompt,
      // A shell that has taken a line may wait once more before its marks say that it works.
      atPrompt: commands.hasInvitedSince(this.#output.enteredAt),
      continues: commands.continues,
      commandRunning: commands.current !== null,
      startedBy: commands.current?.line ?? argv.join(' '),
      alternateScreen: modes.alternateScreen,
      bracketedPaste: modes.bracketedPaste,
      cursorHidden: modes.cursorHidden,
      screenSinceInput: modes.alternateScreen && modes.screenSince(log.end) >= this.#output.typedAt,
      pasteSinceInput: this.#pasteOnAt >= this.#output.typedAt,
      progressing: this.#progressing,
      agent,
    }
  }

  /** Notes this rest, so that the next one can be recognised. */
  #noteRest({ kind, confidence }: Verdict): void {
    const { log, modes } = this.#sources
    const { facts, restingSince } = this.facts
    const { before, drawn } = this.#output.cursorLine()
    const draws = modes.alternateScreen || (modes.cursorHidden && facts?.canonical !== true)
    const asksAbove = this.#output.asksAbove() && !namesCommand(this.#output.lastLine())
    const asked = drawn || before.trim() !== '' || draws || asksAbove
    const isSure = confidence !== 'low'
    this.#rests.note(log.end, facts && { facts, restingSince, asked, kind }, { before, isSure })
    this.#waits.note(facts, modes)
  }

  #agentReport(): AgentReport | null {
    const now = this.#sources.clock.now()
    return this.#agent.report(this.#agent.needsScreen ? this.#screenText() : null, now)
  }

  /** Null while there is no screen, or not all of it is drawn. */
  #screenText(): ScreenText | null {
    const { log, modes } = this.#sources
    if (!this.#hasEventLoop) return null
    const isDrawn = modes.alternateScreen || modes.cursorHidden || this.#output.cursorLine().drawn
    return isDrawn ? this.#screen.text(log.end) : null
  }
}
