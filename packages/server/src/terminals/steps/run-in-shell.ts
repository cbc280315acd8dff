/**
 * Types commands at the prompt of an open shell, which continues afterwards.
 *
 * The text is typed line by line, each when the shell has taken the one before. The shell's marks show where a command
 * ends, its exit code, and where it waits for the rest (a loop, a function, a here-document). When a command asks
 * something or takes too long, the call ends, and its note names the lines that were not typed.
 *
 * Runs in one shell follow each other, but other verbs may type meanwhile. Then a command counts only where its line is
 * the one typed here; the next line is not typed, and a note says so. Output and exit code of another command are never
 * reported.
 */

import { quote } from '@agentpty/engine/host'
import { runLines } from '@agentpty/engine/keys'
import type { FinishedCommand, RunningCommand } from '@agentpty/engine/marks'
import type { Session } from '@agentpty/engine/session'
import { defined, type Millis, type Offset } from '@agentpty/protocol'
import {
  type CallContext,
  type Ending,
  joinOutput,
  type Observation,
  type PermittedContext,
  partlyDone,
} from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import { type EngineContext, secretsFor } from '../../call/index.ts'
import {
  acquireRunLock,
  InputOfOthers,
  isCommandOf,
  noExitCode,
  notTyped,
  readRanges,
  unfinishedNote,
} from './input-of-others.ts'
import { interact, typing } from './interact.ts'
import { observe, verdictAfter, verdictOf } from './observe.ts'
import {
  assertAtPrompt,
  assertEmptyPrompt,
  type Clearing,
  clearPrompt,
  typedAtPrompt,
  waitForFirstPrompt,
} from './prompt-line.ts'
import type { TypedRange } from './read-text.ts'
import { typeAndWait } from './type-text.ts'
import { waitFor, waitMs } from './wait-in-call.ts'

export interface RunInShell {
  readonly session: Session
  readonly command: string
  readonly cwd?: string | undefined
  readonly clearLine?: boolean | undefined
  readonly timeoutMs: Millis
}

/** The result of one command. */
interface Ran {
  readonly line: string
  readonly exitCode?: number
}

export interface RanInShell extends Observation {
  readonly terminalId: string
  readonly commands?: Ran[]
}

/** Errors: `not_a_shell`, `shell_busy`, `line_not_empty`, `session_exited`, `person_types`. */
export function runInShell(engine: EngineContext, input: RunInShell, context: PermittedContext): Promise<RanInShell> {
  const { session } = input
  return typing(engine, session, context, async (typist) => {
    const { clock } = engine
    const begun = clock.now()
    const timeoutMs = waitMs({ waitTimeoutMs: input.timeoutMs }, context)
    const release = await acquireRunLock(engine, session, { typist, timeoutMs, context })
    const others = new InputOfOthers(session, typist)
    try {
      const left = Math.max(0, timeoutMs - (clock.now() - begun))
      return await runAtPrompt(engine, { ...input, timeoutMs: left }, { typist, others, context })
    } finally {
      others.stop()
      release()
    }
  })
}

interface RunTyping extends Clearing {
  readonly others: InputOfOthers
}

async function runAtPrompt(engine: EngineContext, input: RunInShell, typing: RunTyping): Promise<RanInShell> {
  const { session } = input
  const begun = engine.clock.now()
  await waitForFirstPrompt(session, { clock: engine.clock, timeoutMs: input.timeoutMs, context: typing.context })
  await assertAtPrompt(session)
  if (input.clearLine && (session.commands.continues || (await typedAtPrompt(session)) !== ''))
    await clearPrompt(engine.clock, session, typing)
  await assertEmptyPrompt(session)
  const deadline = begun + input.timeoutMs
  return interact(session, async () => {
    if (input.cwd !== undefined) {
      const there = new ShellRun(engine, typing, session, deadline)
      await there.type([`cd -- ${quote(input.cwd)}`])
      if (there.exitCode !== 0 || typing.others.hasCome) return there.result([input.command])
    }
    const run = new ShellRun(engine, typing, session, deadline)
    const lines = runLines(input.command, session.info.shell)
    return run.result(lines.slice(await run.type(lines)))
  })
}

class ShellRun {
  readonly #engine: EngineContext
  readonly #typist: Typist
  readonly #context: CallContext
  readonly #session: Session
  readonly #deadline: Millis
  readonly #since: Offset
  readonly #ran: Ran[] = []
  /** Output of the commands that have ended, in their order. */
  readonly #outputs: TypedRange[] = []
  /** Lines of the command that is being typed, and the offset at which the first was typed. */
  #open: { readonly lines: readonly string[]; readonly since: Offset } | null = null
  readonly #others: InputOfOthers
  /** The command of the line may not be the one that was typed. */
  #isDoubtful = false
  /** A command has ended since the open line was typed, and is not that of the line. */
  #hasSeenOther = false
  #ending: Ending | null = null
  #note: string | undefined

  constructor(engine: EngineContext, { typist, others, context }: RunTyping, session: Session, deadline: Millis) {
    this.#engine = engine
    this.#typist = typist
    this.#others = others
    this.#context = context
    this.#session = session
    this.#deadline = deadline
    this.#since = session.parsedTo
  }

  /** The exit code of the command that ended last. */
  get exitCode(): number | undefined {
    return this.#ran.at(-1)?.exitCode
  }

  /** Types the lines; returns how many: all, or those up to a command that has not ended, or to input of others. */
  async type(lines: readonly string[]): Promise<number> {
    this.#others.assertNone()
    for (const [index, line] of lines.entries()) {
      if (this.#others.hasCome) return index
      if (index === 0) this.#isDoubtful = this.#others.mayBeAtPrompt
      const lineSince = this.#session.parsedTo
      this.#open = { lines: [...(this.#open?.lines ?? []), line], since: this.#open?.since ?? lineSince }
      await this.#enter(line, lineSince).catch((error: unknown) => {
        throw index === 0 ? error : partlyDone(error, line)
      })
      if (!(await this.#isTaken(lineSince))) return index + 1
    }
    return lines.length
  }

  async #enter(line: string, since: Offset): Promise<void> {
    const { clock } = this.#engine
    const conditions = [{ kind: 'command' }, { kind: 'ready', confidence: 'low' }] as const
    const timeoutMs = Math.max(0, this.#deadline - clock.now())
    const { note, ending } = await typeAndWait(this.#engine, this.#session, {
      text: line,
      typist: this.#typist,
      submit: true,
      wait: { conditions, since, timeoutMs },
      context: this.#context,
    })
    this.#note ??= note
    this.#ending = ending
    if (this.#isDoubtful || this.#others.hasCome) await this.#untilOwnCommand(since)
  }

  /** Waits on while only commands end that were not typed here. */
  async #untilOwnCommand(since: Offset): Promise<void> {
    const { clock } = this.#engine
    const session = this.#session
    const conditions = [{ kind: 'command' }, { kind: 'ready', confidence: 'low' }] as const
    while (
      this.#ending?.outcome === 'met' &&
      this.#ending.by === 'command' &&
      this.#finishedSince(since).length === 0
    ) {
      const timeoutMs = Math.max(0, this.#deadline - clock.now())
      this.#ending = await waitFor(clock, session, { conditions, since: session.parsedTo, timeoutMs }, this.#context)
    }
  }

  /** Commands that have begun and ended after the offset: where others may have typed, the one that was typed here. */
  #finishedSince(since: Offset): readonly FinishedCommand[] {
    const { commands, parsedTo } = this.#session
    const finished = commands.commands.filter(
      ({ outputStart, outputEnd }) => outputStart > since && outputEnd <= parsedTo,
    )
    const own = finished.filter((command) => this.#isOwn(command))
    this.#hasSeenOther = own.length === 0 && finished.length > 0
    return own
  }

  #isOwn(command: FinishedCommand | RunningCommand): boolean {
    const isCertain = !this.#isDoubtful && !this.#others.hasCome
    return isCertain || isCommandOf(this.#session, command, this.#open?.lines ?? [])
  }

  /** The shell has finished the line and reads the next one, of the same command or of another. */
  async #isTaken(since: Offset): Promise<boolean> {
    const { commands } = this.#session
    const finished = this.#finishedSince(since)
    for (const command of finished) this.#finish(command)
    if (this.#ending?.outcome === 'met' && finished.length === 0 && (await this.#isBackUnmarked())) return true
    if (this.#ending?.outcome !== 'met' || commands.current !== null || !commands.atPrompt) return false
    if (finished.length === 0 && (this.#hasSeenOther || this.#others.hasCome)) return false
    return finished.length > 0 || commands.continues || this.#passOver(since)
  }

  /** A shell that marks nothing, such as one that `exec` has put in place of the first, waits for its next line. */
  async #isBackUnmarked(): Promise<boolean> {
    if (this.#session.commands.atPrompt || this.#others.hasCome) return false
    const verdict = await verdictAfter(this.#session, this.#ending)
    return verdict.state === 'ready' && verdict.kind === 'shell'
  }

  #finish({ outputStart, outputEnd, exitCode }: FinishedCommand): void {
    this.#ran.push(defined({ line: this.#openText, exitCode: exitCode ?? undefined }))
    this.#outputs.push({ since: outputStart, until: outputEnd })
    this.#open = null
    this.#isDoubtful = false
  }

  /** There is a prompt and nothing has run: the line was blank, a comment, or not valid. False: what follows may belong to it. */
  async #passOver(since: Offset): Promise<boolean> {
    const { commands, log, parsedTo } = this.#session
    const { promptStart, promptEnd, reportedStatus } = commands
    // A prompt that is drawn again is not begun again.
    const isFresh = promptStart !== null && promptStart >= since
    const until = isFresh ? promptStart : log.lineStartBefore(promptEnd ?? parsedTo, promptBytesMax)
    const isRefused = (await typedAtPrompt(this.#session)) !== ''
    const range = { since, until, typed: this.#open?.lines.at(-1) ?? '' }
    // Output below a line that ran nothing, other than the prompt, is an error message of the shell.
    const complaint = await readRanges(this.#session, [range], {})
    if (isRefused)
      await clearPrompt(this.#engine.clock, this.#session, { typist: this.#typist, context: this.#context })
    const isInvalid = complaint.output.trim() !== ''
    if (isInvalid) {
      const exitCode = reportedStatus !== null && reportedStatus.offset >= since ? reportedStatus.exitCode : null
      this.#ran.push(defined({ line: this.#openText, exitCode: exitCode ?? undefined }))
      this.#outputs.push(range)
    }
    this.#open = null
    return !isInvalid
  }

  get #openText(): string {
    return this.#open?.lines.join('\n') ?? ''
  }

  /** @param rest - Lines that were not typed. */
  async result(rest: readonly string[]): Promise<RanInShell> {
    const isOver = this.#open === null
    const isUnclear = !isOver && this.#isUnclear
    const seen = isUnclear ? await this.#unclear() : await (isOver ? this.#ended() : this.#unfinished())
    const ran = isOver ? this.#ran : [...this.#ran, { line: this.#openText }]
    const exitCode = isUnclear ? undefined : (seen.exitCode ?? this.exitCode)
    const isBack = seen.state === 'ready' && seen.kind === 'shell' && exitCode === undefined
    const note = [
      this.#note,
      this.#noteOfOthers(isUnclear, rest),
      unfinishedNote(this.#session),
      isBack && !isUnclear && !isOver ? noExitCode : undefined,
      notTyped(rest),
    ]
      .filter((one) => one !== undefined)
      .join(' ')
    return defined({
      ...seen,
      exitCode: seen.signal === undefined ? exitCode : undefined,
      note: note === '' ? undefined : note,
      commands: ran.length > 1 ? ran : undefined,
      terminalId: this.#session.info.id,
    })
  }

  /** The last line was typed, and it is not known which command is that of it. */
  get #isUnclear(): boolean {
    const { commands } = this.#session
    return commands.current === null ? this.#hasSeenOther || this.#others.hasCome : !this.#isOwn(commands.current)
  }

  #noteOfOthers(isUnclear: boolean, rest: readonly string[]): string | undefined {
    if (!isUnclear && (!this.#others.hasCome || rest.length === 0)) return undefined
    const { id } = this.#session.info
    const came = `Other input reached ${id} besides this call`
    if (!isUnclear) return `${came}, so the rest was not typed.`
    return `${came}, and the shell ran another line than this: what became of it is not known. Look with terminal_read.`
  }

  /** The output of the commands that are certain. */
  async #unclear(): Promise<Observation> {
    const text = await readRanges(this.#session, this.#outputs, this.#budget)
    const outcome = this.#ending?.outcome
    return defined({
      outcome: outcome === 'cancelled' ? undefined : outcome,
      ...text,
      cursor: this.#session.parsedTo,
      ...verdictOf(this.#session, await verdictAfter(this.#session, this.#ending)),
    })
  }

  /** All has ended, and the shell is at its prompt. */
  async #ended(): Promise<Observation> {
    const verdict = await verdictAfter(this.#session, this.#ending)
    const text = await readRanges(this.#session, this.#outputs, this.#budget)
    return defined({
      outcome: 'met',
      ...text,
      cursor: this.#session.parsedTo,
      ...verdictOf(this.#session, verdict),
    })
  }

  /** Observes a last command that is still running: its output so far follows that of the commands before. */
  async #unfinished(): Promise<Observation> {
    const { commands } = this.#session
    const since = Math.max(this.#open?.since ?? this.#since, commands.current?.outputStart ?? 0)
    const typed = this.#openText
    const seen = await observe(this.#session, {
      since,
      typed,
      ending: this.#ending,
      before: null,
      budget: this.#budget,
    })
    if (this.#outputs.length === 0) return seen
    return { ...seen, ...joinOutput(await readRanges(this.#session, this.#outputs, this.#budget), seen, '\n') }
  }

  get #budget() {
    return { maxBytes: this.#context.outputBytes, secrets: secretsFor(this.#engine, this.#context) }
  }
}

const promptBytesMax = 4 * 1024
