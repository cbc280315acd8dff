/**
 * Commands typed at the prompt of an open shell, which goes on afterwards.
 *
 * The text is typed line by line, each when the shell has taken the one before: its marks say where a command ends, how it
 * ended, and where it only waits for the rest (a loop, a function, a here-document). A command that asks something, or takes
 * longer than there is time, ends the call, and its note names what was not typed yet.
 */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import type { Ending } from '../../../contracts/call/conditions.ts'
import type { Observation } from '../../../contracts/call/observation.ts'
import { defined } from '../../../contracts/defined.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { Typist } from '../../../contracts/session/lease.ts'
import type { Millis, Offset } from '../../../contracts/units.ts'
import { quote } from '../../../engine/host/shell-integration.ts'
import type { FinishedCommand } from '../../../engine/marks/command-tracker.ts'
import type { Session } from '../../../engine/session/session.ts'
import { type EngineContext, secretsFor } from './engine-context.ts'
import { interact } from './interact.ts'
import { markedPromptVerdictMs, observe, promptVerdictMs, verdictAfter } from './observe.ts'
import { assertEmptyPrompt, type Clearing, clearPrompt, typedAtPrompt } from './prompt-line.ts'
import { readRanges } from './read-ranges.ts'
import type { TypedRange } from './read-text.ts'
import { typeAndWait } from './type-text.ts'
import { typing } from './typist.ts'
import { verdictOf } from './verdict-fields.ts'
import { waitMs } from './wait-in-call.ts'

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
export function runInShell(engine: EngineContext, input: RunInShell, context: CallContext): Promise<RanInShell> {
  const { session } = input
  return typing(engine, session, context, (typist) => runAtPrompt(engine, input, typist, context))
}

async function runAtPrompt(
  engine: EngineContext,
  input: RunInShell,
  typist: Typist,
  context: CallContext,
): Promise<RanInShell> {
  const { session } = input
  await assertAtPrompt(session)
  if (input.clearLine && (session.commands.continues || (await typedAtPrompt(session)) !== ''))
    await clearPrompt(engine.clock, session, { typist, context })
  await assertEmptyPrompt(session)
  const deadline = engine.clock.now() + waitMs({ waitTimeoutMs: input.timeoutMs }, context)
  return interact(session, async () => {
    if (input.cwd !== undefined) {
      const there = new ShellRun(engine, { typist, context }, session, deadline)
      await there.type([`cd -- ${quote(input.cwd)}`])
      if (there.exitCode !== 0) return there.result([input.command])
    }
    const run = new ShellRun(engine, { typist, context }, session, deadline)
    const lines = input.command.replace(/(?:\r?\n)+$/, '').split(/\r?\n/)
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
  #ending: Ending | null = null
  #note: string | undefined

  constructor(engine: EngineContext, { typist, context }: Clearing, session: Session, deadline: Millis) {
    this.#engine = engine
    this.#typist = typist
    this.#context = context
    this.#session = session
    this.#deadline = deadline
    this.#since = session.parsedTo
  }

  /** The exit code of the command that ended last. */
  get exitCode(): number | undefined {
    return this.#ran.at(-1)?.exitCode
  }

  /** Types the lines; returns how many: all, or those up to a command that has not ended. */
  async type(lines: readonly string[]): Promise<number> {
    for (const [index, line] of lines.entries()) {
      const lineSince = this.#session.parsedTo
      this.#open = { lines: [...(this.#open?.lines ?? []), line], since: this.#open?.since ?? lineSince }
      await this.#enter(line, lineSince)
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
  }

  /** The shell has finished the line and reads the next one, of the same command or of another. */
  async #isTaken(since: Offset): Promise<boolean> {
    const { commands, parsedTo } = this.#session
    const finished = commands.commands.filter(
      ({ outputStart, outputEnd }) => outputStart > since && outputEnd <= parsedTo,
    )
    for (const command of finished) this.#finish(command)
    if (this.#ending?.outcome !== 'met' || commands.current !== null || !commands.atPrompt) return false
    if (finished.length === 0 && !commands.continues) await this.#passOver(since)
    return true
  }

  #finish({ outputStart, outputEnd, exitCode }: FinishedCommand): void {
    this.#ran.push(defined({ line: this.#openText, exitCode: exitCode ?? undefined }))
    this.#outputs.push({ since: outputStart, until: outputEnd })
    this.#open = null
  }

  /** There is a prompt and nothing has run: the line was blank, a comment, or not valid. */
  async #passOver(since: Offset): Promise<void> {
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
    if (complaint.output.trim() !== '') {
      const exitCode = reportedStatus !== null && reportedStatus.offset >= since ? reportedStatus.exitCode : null
      this.#ran.push(defined({ line: this.#openText, exitCode: exitCode ?? undefined }))
      this.#outputs.push(range)
    }
    this.#open = null
  }

  get #openText(): string {
    return this.#open?.lines.join('\n') ?? ''
  }

  /** @param rest - Lines that were not typed. */
  async result(rest: readonly string[]): Promise<RanInShell> {
    const isOver = this.#open === null
    const seen = isOver ? await this.#ended() : await this.#unfinished()
    const note = [this.#note, unfinishedNote(this.#session), notTyped(rest)]
      .filter((one) => one !== undefined)
      .join(' ')
    const ran = isOver ? this.#ran : [...this.#ran, { line: this.#openText }]
    const exitCode = seen.exitCode ?? this.exitCode
    return defined({
      ...seen,
      exitCode: exitCode === undefined || seen.signal !== undefined ? undefined : exitCode,
      note: note === '' ? undefined : note,
      commands: ran.length > 1 ? ran : undefined,
      terminalId: this.#session.info.id,
    })
  }

  /** All has ended, and the shell is at its prompt. */
  async #ended(): Promise<Observation> {
    const verdict = await verdictAfter(this.#session, this.#ending)
    const { output, missedBytes } = await readRanges(this.#session, this.#outputs, this.#budget)
    return defined({
      outcome: 'met',
      output,
      cursor: this.#session.parsedTo,
      missedBytes: missedBytes > 0 ? missedBytes : undefined,
      ...verdictOf(this.#session, verdict),
    })
  }

  /** The last command goes on: its output so far follows that of the commands before. */
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
    const { output } = await readRanges(this.#session, this.#outputs, this.#budget)
    return { ...seen, output: [output, seen.output].filter((text) => text !== '').join('\n') }
  }

  get #budget() {
    return { maxBytes: this.#context.outputBytes, secrets: secretsFor(this.#engine, this.#context) }
  }
}

const promptBytesMax = 4 * 1024

function unfinishedNote({ commands }: Session): string | undefined {
  if (!commands.continues) return undefined
  return 'The command is not finished: the shell waits for the rest of it. Send that, or press ctrl+c.'
}

function notTyped(rest: readonly string[]): string | undefined {
  if (rest.every((line) => line.trim() === '')) return undefined
  const text = rest.join('\n')
  const shown = text.length > 200 ? `${text.slice(0, 200)}[...]` : text
  return `Not typed yet, run it when the shell is back: ${JSON.stringify(shown)}`
}

async function assertAtPrompt(session: Session): Promise<void> {
  const verdict = await session.freshVerdict(session.commands.atPrompt ? markedPromptVerdictMs : promptVerdictMs)
  const { id } = session.info
  if (session.exit !== null) {
    throw new TermError(
      'session_exited',
      `The program of ${id} has ended.`,
      'Leave out terminalId to run in a fresh terminal.',
    )
  }
  const isShell = verdict.kind === 'shell' || verdict.kind === 'continuation'
  if (verdict.state === 'ready' && isShell && session.commands.integrated) return
  if (session.info.shell !== null && session.commands.integrated) {
    const { evidence } = verdictOf(session, verdict)
    throw new TermError(
      'shell_busy',
      `The shell of ${id} is not at its prompt (${verdict.kind ?? verdict.state}${evidence ? `: ${evidence[0]}` : ''}).`,
      'Answer what it asks with terminal_send, wait with terminal_wait, or interrupt it with terminal_send_keys ["ctrl+c"].',
    )
  }
  throw new TermError(
    'not_a_shell',
    `${id} is not a shell that marks its commands.`,
    'Use terminal_send, or leave out terminalId to run in a fresh terminal.',
  )
}
