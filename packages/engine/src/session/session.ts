/**
 * A session: one program on one PTY, with its log, marks, screen and waits, until it is closed.
 *
 * Invariants:
 * 1. Offsets only grow and never change meaning.
 * 2. Callers see nothing past `parsedTo`: log, marks, screen and verdict agree.
 * 3. `since` is taken before the write.
 * 4. Chaining `next` visits every kept byte exactly once; eviction is reported, never silent.
 * 5. A wait settles exactly once. Timeout and exit are outcomes, not errors. A wait never injects input.
 * 6. The exit is reported after the last byte is parsed.
 * 7. No per-reader state lives here.
 */

import type { Clock, Exit, Facts, Millis, Offset, Pty, Size, Stop } from '@agentpty/protocol'
import { coalesced, waitsPerSessionMax } from '@agentpty/protocol'
import type { Ending } from '@agentpty/protocol/call'
import type { GateAnswer } from '@agentpty/protocol/effects'
import type { Dropped, SessionInfo, Verdict } from '@agentpty/protocol/session'
import { OutputLog } from '../log/output-log.ts'
import type { Timeline } from '../log/timeline.ts'
import { CommandTracker } from '../marks/command-tracker.ts'
import { MarkScanner } from '../marks/mark-scanner.ts'
import type { Mark } from '../marks/parse-osc.ts'
import type { Screen } from '../screen/screen.ts'
import { type ForegroundProgram, Turn } from '../turn/turn.ts'
import { evaluate, searchesFor, Waiter, type WaitView } from '../waits/waiter.ts'
import { Followers } from './followers.ts'
import { HeldCalls } from './held-calls.ts'
import { Inbox } from './inbox.ts'
import { Acknowledger, InputWriter } from './input-writer.ts'
import { Keyboard } from './keyboard.ts'
import { anyReady, onceWithFacts } from './late-facts.ts'
import { LazyScreen } from './lazy-screen.ts'
import { PictureWatch } from './picture-watch.ts'
import { lineTooLong, sessionExited, tooManyWaits } from './run-lock.ts'
import { SessionHistory, TerminalModes, timelineOf } from './session-history.ts'
import type { SessionOptions, WaitOptions } from './session-options.ts'

/** Share of the log without a screen; beyond it one is made, before the log evicts what no screen has seen. */
const screenlessShare = 0.75

export class Session {
  info: SessionInfo // replaced when it is renamed
  readonly pid: number
  readonly log: OutputLog
  readonly timeline: Timeline
  readonly commands = new CommandTracker()
  readonly followers: Followers
  readonly #clock: Clock
  readonly #pty: Pty
  readonly #scanner = new MarkScanner()
  readonly #screen: LazyScreen
  readonly #turn: Turn
  readonly modes = new TerminalModes()
  readonly #input: InputWriter
  readonly keyboard: Keyboard
  readonly heldCalls = new HeldCalls()
  readonly #inbox: Inbox
  readonly #acknowledger: Acknowledger
  readonly #pictureWatch: PictureWatch
  readonly #waiters = new Set<Waiter>()
  readonly history: SessionHistory
  /** Called when something changed that the session does not observe itself. Output and facts that came together are judged together. */
  readonly recheckSoon = coalesced(() => this.#recheck())
  #onCaughtUp: (() => void) | null = null
  #exit: Exit | null = null
  #pendingExit: Exit | null = null
  #exitedAt: Millis = 0
  #lastOutputAt: Millis
  /** Offset of the last question that a program has asked the terminal. */
  #queriedTo: Offset = 0
  #isClosed = false
  /** The terminal echoes input, by its modes at the last write. */
  #echoes = true

  constructor(options: SessionOptions) {
    const { clock, pty, info, start, history, spent = () => {} } = options
    this.info = info
    this.pid = options.pid
    this.#clock = clock
    this.#pty = pty
    this.log = new OutputLog({ capacityBytes: info.logBytes, start })
    this.timeline = timelineOf(options)
    this.history = new SessionHistory(options, this.timeline)
    this.#lastOutputAt = clock.now()
    this.#acknowledger = new Acknowledger(pty, start, info.logBytes)
    this.#screen = new LazyScreen({
      clock,
      log: this.log,
      sizes: options.sizes,
      answerFrom: history?.end ?? 0,
      version: options.version,
      onReply: this.#reply,
      onParsed: () => this.#afterProgress(),
    })
    const { log, commands, modes } = this
    const { argv, shell } = info
    this.#turn = new Turn({ clock, pty, log, commands, modes, screen: this.#screen, shell, argv, spent })
    this.followers = new Followers(clock, this, options.crowdBudget)
    this.#input = new InputWriter(clock, pty, this.#turn.facts, async (bytes) => {
      if (await this.#turn.readsLines()) throw lineTooLong(info.id, bytes)
    })
    this.keyboard = new Keyboard({
      options,
      clock,
      pty,
      input: this.#input,
      session: this,
      assertAlive: () => this.assertAlive(),
      typed: (bytes) => {
        this.#turn.typed(bytes)
        this.followers.typed(bytes)
      },
      asksPassword: () => this.turn().verdict.kind === 'password',
      hasEchoed: () => this.#echoes,
    })
    this.#inbox = new Inbox(clock, this.#ingest)
    this.#pictureWatch = new PictureWatch(clock, this.#screen, () => this.#recheck())
    pty.attach(start, {
      output: (offset, bytes) => this.#inbox.add(offset, bytes),
      exit: (exit) => this.#onExit(exit),
      facts: (facts) => this.#onFacts(facts),
      gate: (message) => options.gateReports?.(message),
      resized: (offset, size) => {
        this.#screen.resize({ offset, ...size })
        this.#turn.resized()
        this.timeline.resized(offset, clock.wall(), size)
        this.followers.resized(offset, size)
      },
      written: ({ echoes, inputWritten }) => {
        this.#echoes = echoes
        this.#turn.facts.written(inputWritten)
      },
    })
  }

  answerGate(message: GateAnswer): void {
    this.#pty.answerGate(message)
  }

  /** Offset up to which every view of the log agrees. */
  get parsedTo(): Offset {
    return this.#screen.parsedTo ?? this.log.end
  }

  /** Null while the program lives, and until its last byte is parsed. */
  get exit(): Exit | null {
    return this.#exit
  }

  get dropped(): Dropped {
    return { ...this.#screen.dropped, replies: this.#input.droppedReplies, turns: this.followers.droppedTurns }
  }

  get exitedAt(): Millis {
    return this.#exitedAt
  }

  get size(): Size {
    return this.#screen.size
  }

  /** The properties of the foreground program besides its turn. */
  get program(): ForegroundProgram {
    return this.#turn
  }

  /** All output from before this engine has arrived. */
  get isCaughtUp(): boolean {
    return this.log.end >= this.history.end && (this.#exit !== null || !this.history.exited)
  }

  /** Resolves when all of its history has arrived. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCaughtUp = () => {
        this.#onCaughtUp = null
        resolve()
      }
      this.#recheck()
    })
  }

  /** The verdict from what is known now; {@link freshVerdict} asks the kernel first. */
  turn = () =>
    this.#turn.judge({
      exit: this.#exit,
      isPaused: this.info.isPaused,
      parsedTo: this.parsedTo,
      awaitsTerminal: this.#screen.doneTo < this.#queriedTo || this.#input.isReplying,
      lastOutputAt: this.#lastOutputAt,
      escapeUntil: this.#input.escapeUntil,
    })

  /** A verdict from facts that are read now. It takes at most `withinMs`, and longer only where a busy machine reads none in that time. */
  async freshVerdict(withinMs: Millis): Promise<Verdict> {
    if (this.#exit !== null) return this.turn().verdict
    const wait = (ms: Millis) => this.wait({ ...anyReady, since: this.parsedTo, deadline: this.#clock.now() + ms })
    const ending = await onceWithFacts(this.#turn, this.#clock, wait, withinMs)
    return ending.outcome === 'cancelled' ? this.turn().verdict : ending.verdict
  }

  /** More input follows: until this is stopped it is not the caller's turn, whatever the program does. */
  holdInput(): Stop {
    return this.#turn.holdInput(() => this.followers.publishTurn())
  }

  /** Kernel facts are read until this is stopped; a writer asks for them before it writes. */
  watch(): Stop {
    return this.#turn.watch()
  }

  /** Errors: `limit_reached`. */
  async wait(options: WaitOptions): Promise<Ending> {
    if (this.#waiters.size >= waitsPerSessionMax) throw tooManyWaits(this.info.id)
    const { conditions, signal, cancelWith, deadline } = options
    const release = this.watch()
    const releasePicture = conditions.some(({ kind }) => kind === 'stable') ? this.#pictureWatch.watch() : () => {}
    const view = this.#viewFor(options)
    const waiter = new Waiter({
      clock: this.#clock,
      signal,
      cancelWith,
      evaluate: (now) => evaluate(conditions, view(), now, deadline),
      settled: (settled) => {
        this.#waiters.delete(settled)
        releasePicture()
        release()
      },
    })
    this.#waiters.add(waiter)
    waiter.recheck()
    return waiter.ending
  }

  screen(): Promise<Screen> {
    return this.#screen.at(this.log.end)
  }

  async resize(size: Size): Promise<void> {
    this.assertAlive()
    await this.#pty.resize(size)
  }

  /** Ends the program and everything it started; open waits end as exited. Resolves when all of it is gone. */
  async close(options: { readonly graceMs: number; readonly leaveDaemons: boolean }): Promise<{ survivors: number }> {
    const closed = await this.#pty.close(options)
    this.#exit ??= this.#pendingExit ?? { code: null, signal: 'SIGHUP' }
    this.#recheck()
    this.abandon()
    return closed
  }

  /** The engine goes and the session stays at the host: open waits are left to their callers' broken connections. */
  abandon(): void {
    this.#isClosed = true
    this.#inbox.clear()
    for (const waiter of this.#waiters) waiter.abandon()
    if (this.#exit === null) this.keyboard.runLock.abandon()
    this.followers.end()
    this.#turn.stop()
    this.#screen.dispose()
  }

  #reply = (bytes: Uint8Array) => void (this.#exit === null && this.#input.reply(bytes))

  /** The only way for output to get in. */
  #ingest = (offset: Offset, bytes: Uint8Array): void => {
    if (this.#isClosed) return
    this.#skipLost(offset)
    this.#lastOutputAt = this.history.arrivalOf(this.log.end)
    if (!this.#screen.exists && this.log.end - this.log.start + bytes.length > screenlessShare * this.info.logBytes)
      this.#screen.ensure()
    const marks = this.#scanner.scan(bytes, this.log.end)
    if (this.log.end >= this.history.end) this.timeline.output(this.log.end, this.#clock.wall())
    this.log.append(bytes)
    for (const mark of marks) this.#apply(mark, this.history.arrivalOf(mark.offset))
    this.#screen.feed()
    this.#afterProgress()
  }

  /** The host had to give up bytes before we could take them; readers see it by the log's own start. */
  #skipLost(offset: Offset): void {
    if (offset <= this.log.end) return
    this.log.skipTo(offset)
    this.#screen.restart()
  }

  #apply(mark: Mark, now: Millis): void {
    this.commands.apply(mark, now)
    this.modes.apply(mark)
    this.#turn.apply(mark, now)
    if (mark.offset < this.history.end) return
    this.keyboard.lineEditor.apply(mark)
    // Answered here and not by the screen: it must come before what the screen answers later.
    if (mark.kind === 'status-query') this.#reply(Buffer.from(`\x1b]7501;?${mark.terminator}`))
    if (mark.kind !== 'query') return
    this.#queriedTo = mark.end
    this.#screen.answerFrom(mark.offset)
  }

  #afterProgress(): void {
    this.#acknowledger.takenTo(this.#screen.doneTo)
    this.#pictureWatch.recheck()
    this.#settleExit()
    this.recheckSoon()
  }

  #onFacts(facts: Facts): void {
    this.#turn.learn(facts, this.#clock.now())
    this.recheckSoon()
  }

  #onExit(exit: Exit): void {
    this.#pendingExit = exit
    if (this.#inbox.isEmpty) this.#screen.ended()
    this.#settleExit()
    this.#recheck()
  }

  #settleExit(): void {
    if (this.#pendingExit === null || this.#exit !== null) return
    if (!this.#inbox.isEmpty || this.parsedTo < this.log.end) return
    this.#exit = this.#pendingExit
    this.#exitedAt = this.history.exitTime
    this.#turn.stop()
  }

  #recheck(): void {
    if (this.#onCaughtUp !== null && this.isCaughtUp) this.#onCaughtUp()
    for (const waiter of this.#waiters) waiter.recheck()
    this.followers.publishTurn()
    this.followers.recheck()
  }

  #viewFor({ conditions, since, typed }: WaitOptions): () => WaitView {
    const searches = searchesFor(conditions, { since, typed: typed ?? '', again: () => this.#recheck() })
    return () => ({
      exited: this.#exit !== null,
      since,
      parsedTo: this.parsedTo,
      lastOutputAt: Math.max(this.#lastOutputAt, this.#turn.facts.lastInputAt),
      lastChangeAt: this.#pictureWatch.changedAt,
      lastCommandEnd: this.commands.isAtPrompt(this.parsedTo) ? (this.commands.last?.outputEnd ?? null) : null,
      turn: this.turn,
      found: (condition) => searches.found(condition, this.log, this.parsedTo, this.#echoes),
      isSearching: searches.isBusy,
    })
  }

  /** Errors: `session_exited`. */
  assertAlive(): void {
    if (this.#exit !== null) throw sessionExited(this.info.id, this.#exit)
  }
}
