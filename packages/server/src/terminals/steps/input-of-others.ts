/** Input that reaches a terminal during a run without being typed by it: of a person, or of an agent by another verb. */

import type { FinishedCommand, RunningCommand } from '@agentpty/engine/marks'
import { lineOfCommand, type Session } from '@agentpty/engine/session'
import { isStatementPrompt } from '@agentpty/engine/turn'
import { defined, type Millis, outputBytesDefault, renderBytesMax, type Stop, TermError } from '@agentpty/protocol'
import type { CallContext, CountedOutput, Observation } from '@agentpty/protocol/call'
import { type Typist, terminalVariable } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'
import { countInvalid } from './observe.ts'
import { type Budget, fitBudget, readLines, readText, type TypedRange } from './read-text.ts'
import { cancelled, reportProgress } from './wait-in-call.ts'

export class InputOfOthers {
  readonly #session: Session
  readonly #stop: Stop
  #hasCome = false

  constructor(session: Session, typist: Typist) {
    this.#session = session
    this.#stop = session.keyboard.onTyped((bytes, by) => {
      if (by !== typist && !isReport(bytes)) this.#hasCome = true
    })
  }

  /** Some has come since the run began. */
  get hasCome(): boolean {
    return this.#hasCome
  }

  /** Some may have come since the shell drew its prompt, also before the run began. */
  get mayBeAtPrompt(): boolean {
    const { keyboard, commands } = this.#session
    if (this.#hasCome) return true
    return keyboard.typedTo !== null && commands.promptStart !== null && keyboard.typedTo >= commands.promptStart
  }

  /** Errors: `shell_busy` when some has come, for a run that has not typed yet. */
  assertNone(): void {
    if (!this.#hasCome) return
    const message = `Other input reached ${this.#session.info.id} while this call read its prompt. Nothing was typed.`
    throw new TermError('shell_busy', message, 'Look with terminal_read what it does now, then call again.')
  }

  /** Stops observing the input. */
  stop(): void {
    this.#stop()
  }
}

/** The shell reports, or shows, these lines as those of the command. */
export function isCommandOf(
  session: Session,
  command: FinishedCommand | RunningCommand,
  lines: readonly string[],
): boolean {
  const ran = bare(lineOfCommand(command, session))
  const typed = bare(lines.join('\n'))
  if (ran === '' || typed === '') return false
  if (command.line !== null || lines.length === 1) return ran === typed
  // A shell that shows its line, and does not report it, shows a prompt before each further line.
  return ran.startsWith(bare(lines[0] ?? '')) && ran.endsWith(bare(lines.at(-1) ?? ''))
}

/** Returns whether the bytes are a report of a person's terminal on focus or mouse, which the program has requested. */
function isReport(bytes: Uint8Array): boolean {
  return /^(?:\x1b\[[IO]|\x1b\[<\d+;\d+;\d+[Mm])+$/.test(Buffer.from(bytes).toString('latin1'))
}

/** Shells report and show a command with other blanks and line ends than it was typed with. */
function bare(line: string): string {
  return line.replaceAll(/[\s;]+/g, '')
}

// Acquires the lock of runs on a shell. Other runs wait until it is released, so each reports its own output and exit code.

interface RunLockWait {
  readonly typist: Typist
  /** The longest wait. */
  readonly timeoutMs: Millis
  readonly context: CallContext
}

/** Waits for the shell; returns a function that releases it. Errors: `shell_busy` when not free in time, `cancelled`, `person_types`. */
export async function acquireRunLock(
  engine: EngineContext,
  session: Session,
  { typist, timeoutMs, context }: RunLockWait,
): Promise<Stop> {
  const { keyboard, info } = session
  const { runLock } = keyboard
  // The command of the other run may be what makes this call.
  if (runLock.isLocked && runsBelow(engine, session, context)) throw runsCaller(info.id)
  const { clock } = engine
  const begun = clock.now()
  const stopProgress = runLock.isLocked ? reportProgress(clock, begun, timeoutMs, context) : () => {}
  const isRefused = () => keyboard.isKeptOut(typist)
  const latest = begun + timeoutMs
  const result = await runLock.acquire({ latest, signal: context.signal, isRefused }).finally(stopProgress)
  switch (result.outcome) {
    case 'acquired':
      return result.release
    case 'cancelled':
      throw cancelled()
    case 'refused':
      keyboard.assertMayType(typist)
      throw heldByOther(info.id, `after ${timeoutMs} ms`)
    case 'timeout':
      throw heldByOther(info.id, `after ${timeoutMs} ms`)
    case 'full':
      throw heldByOther(info.id, 'and more wait for it than may wait')
  }
}

/** The caller runs in the terminal, or in one that was opened from there. */
function runsBelow({ host }: EngineContext, { info }: Session, { env }: CallContext): boolean {
  const own = host.allSessions.find((session) => session.info.id === env[terminalVariable])
  return own !== undefined && (own.info.id === info.id || own.info.ancestors.includes(info.id))
}

function runsCaller(id: string): TermError {
  const message = `The shell of ${id} runs another command, from which this call may come. Nothing was typed.`
  return new TermError('shell_busy', message, 'Leave out terminalId to run in a fresh terminal.')
}

function heldByOther(id: string, since: string): TermError {
  return new TermError(
    'shell_busy',
    `Another run still has the shell of ${id}, ${since}. Nothing was typed.`,
    'Leave out terminalId to run in a fresh terminal, wait with terminal_wait, or interrupt it with terminal_send_keys ["ctrl+c"].',
  )
}

/** Several parts of a log as one text within one budget: the outputs of commands without the prompts between them. */
export async function readRanges(
  session: Session,
  ranges: readonly TypedRange[],
  budget: Budget,
): Promise<CountedOutput> {
  const { start } = session.log
  const missedBytes = ranges.reduce((sum, { since, until }) => sum + Math.max(0, Math.min(start, until) - since), 0)
  const kept = ranges.filter(({ until }) => until > start)
  let invalidBytes = 0
  for (const { since, until } of kept) invalidBytes += (await countInvalid(session, since, until)) ?? 0
  return defined({
    output: await textOf(session, kept, budget),
    missedBytes: missedBytes || undefined,
    invalidBytes: invalidBytes || undefined,
  })
}

async function textOf(session: Session, kept: readonly TypedRange[], budget: Budget): Promise<string> {
  const { start } = session.log
  const maxBytes = budget.maxBytes ?? outputBytesDefault
  const [only, ...others] = kept
  if (only === undefined) return ''
  if (others.length === 0) return (await readText(session, only, budget)).output
  const bytes = kept.reduce((sum, { since, until }) => sum + until - Math.max(since, start), 0)
  if (bytes > renderBytesMax) return readEach(session, kept, { ...budget, maxBytes })
  const lines = []
  for (const range of kept)
    lines.push(...(await readLines(session, { ...range, since: Math.max(range.since, start) }, budget)))
  return fitBudget(lines, budget)
}

/** Renders parts that are too large together: each part gets its share of the budget. */
async function readEach(
  session: Session,
  ranges: readonly TypedRange[],
  { maxBytes, secrets }: Budget & { readonly maxBytes: number },
): Promise<string> {
  const texts: string[] = []
  for (const range of ranges) {
    const share = Math.max(rangeBytesMin, Math.floor(maxBytes / ranges.length))
    const { output } = await readText(session, range, defined({ maxBytes: share, secrets }))
    if (output !== '') texts.push(output)
  }
  return texts.join('\n')
}

const rangeBytesMin = 256

/** Notes of input that was typed and not run, or not run whole. */
export function unfinishedNote({ commands }: Session): string | undefined {
  if (!commands.continues) return undefined
  return 'The command is not finished: the shell waits for the rest of it. Send that, or press ctrl+c.'
}

/** For an interpreter that has not run what it was given. */
export function unfinishedStatement({ kind, output }: Observation): string | undefined {
  const line = output.slice(output.lastIndexOf('\n') + 1)
  if (kind !== 'repl' || !isStatementPrompt(line)) return undefined
  return 'The statement is not finished: send the rest (in Python an empty line ends a block), or press ctrl+c.'
}

export const noExitCode = 'The exit code is not known: this shell does not mark its commands.'

/** @param rest - Lines that were not typed. */
export function notTyped(rest: readonly string[]): string | undefined {
  if (rest.every((line) => line.trim() === '')) return undefined
  const text = rest.join('\n')
  const shown = text.length > 200 ? `${text.slice(0, 200)}[...]` : text
  return `Not typed yet, run it when the shell is back: ${JSON.stringify(shown)}`
}
