/**
 * The shell's commands, as its marks report them: is it at the prompt, what runs, what ended and how.
 *
 * Shells disagree about marks, so no order is assumed: prompts are redrawn (A again), commands start without a prompt
 * (C alone), end without a start (D on an empty line), or never end (a shell that was replaced). A command that a new
 * prompt finds still running is finished with no exit code: the shell is back, so it must have ended.
 */

import { commandsMax, type Millis, type Offset } from '@agentpty/protocol'
import type { Mark } from './parse-osc.ts'

export interface RunningCommand {
  /** The line that the shell reported. Null when it did not: then the output has it, between `inputStart` and the start mark. */
  readonly line: string | null
  /** The offset after the prompt, at which its input begins. */
  readonly inputStart: Offset | null
  readonly promptStart: Offset | null
  /** The offset at which its output begins: after the mark that started it. */
  readonly outputStart: Offset
  readonly startedAt: Millis
  readonly cwd: string | null
}

export interface FinishedCommand extends RunningCommand {
  /** The offset at which its output ends: at the mark that ended it. */
  readonly outputEnd: Offset
  /** Null when the shell did not report it. */
  readonly exitCode: number | null
  readonly endedAt: Millis
}

/** The exit code that the shell reported last, also for a line that it refused, where no command began. */
export interface ReportedStatus {
  readonly offset: Offset
  readonly exitCode: number | null
}

export class CommandTracker {
  #integrated = false
  #atPrompt = false
  #continues = false
  #promptStart: Offset | null = null
  #promptEnd: Offset | null = null
  #invitedAt: Offset = 0
  #line: string | null = null
  #cwd: string | null = null
  #current: RunningCommand | null = null
  readonly #finished: FinishedCommand[] = []
  #reportedStatus: ReportedStatus | null = null

  /** The shell marks its prompts. Without this, the absence of a prompt means nothing. */
  get integrated(): boolean {
    return this.#integrated
  }

  /** The shell invites a command: its prompt ended and no command started since. */
  get atPrompt(): boolean {
    return this.#atPrompt
  }

  /** It has invited one, or the rest of one, after this offset. */
  hasInvitedSince(offset: Offset): boolean {
    return this.#atPrompt && this.#invitedAt > offset
  }

  /** The text at the prompt is not a whole command yet: the shell waits for the rest of it. */
  get continues(): boolean {
    return this.#atPrompt && this.#continues
  }

  /** The shell is at a prompt in the output before `end`; a later prompt does not count. */
  isAtPrompt(end: Offset): boolean {
    return this.#atPrompt && (this.#promptEnd ?? 0) <= end
  }

  /** Offset after the newest prompt, at which typed input begins; null before the first and while a command runs. */
  get promptEnd(): Offset | null {
    return this.#promptEnd
  }

  /** The offset at which the newest prompt begins; null before the first and while a command runs. */
  get promptStart(): Offset | null {
    return this.#promptStart
  }

  get reportedStatus(): ReportedStatus | null {
    return this.#reportedStatus
  }

  get cwd(): string | null {
    return this.#cwd
  }

  get current(): RunningCommand | null {
    return this.#current
  }

  get last(): FinishedCommand | null {
    return this.#finished.at(-1) ?? null
  }

  /** Finished commands, oldest first; the newest `commandsMax` are kept. */
  get commands(): readonly FinishedCommand[] {
    return this.#finished
  }

  apply(mark: Mark, now: Millis): void {
    switch (mark.kind) {
      case 'prompt-start':
        this.#onPromptStart(mark.offset, now)
        break
      case 'prompt-end':
        this.#onPromptEnd(mark, now)
        break
      case 'continuation':
        this.#onContinuation(mark, now)
        break
      case 'command-line':
        this.#onLine(mark.line)
        break
      case 'command-start':
        this.#onStart(mark, now)
        break
      case 'command-end':
        this.#reportedStatus = { offset: mark.offset, exitCode: mark.exitCode }
        this.#finish(mark.offset, mark.exitCode, now)
        break
      case 'cwd':
        this.#cwd = mark.path
        break
      default:
      // The other marks are about the program that runs, not about the shell.
    }
  }

  #onPromptStart(offset: Offset, now: Millis): void {
    this.#integrated = true
    this.#finish(offset, null, now)
    this.#leavePrompt()
    this.#line = null
    this.#promptStart = offset
  }

  #onPromptEnd(mark: Mark, now: Millis): void {
    this.#integrated = true
    this.#finish(mark.offset, null, now)
    this.#atPrompt = true
    this.#continues = false
    this.#promptEnd = this.#invitedAt = mark.end
  }

  /** When several commands were pasted, those before the unfinished one have run. */
  #onContinuation({ offset, end }: Mark, now: Millis): void {
    this.#integrated = true
    this.#finish(offset, null, now)
    this.#atPrompt = true
    this.#continues = true
    this.#promptEnd ??= offset
    this.#invitedAt = end
  }

  #onLine(line: string): void {
    // Some shells send the line after the start. The command that runs is then the one it belongs to.
    if (this.#current === null) this.#line = line
    else if (this.#current.line === null) this.#current = { ...this.#current, line }
  }

  #onStart(mark: Mark, now: Millis): void {
    // A second start without an end: the first one's end was lost.
    this.#finish(mark.offset, null, now)
    this.#current = {
      line: this.#line,
      inputStart: this.#promptEnd,
      promptStart: this.#promptStart,
      outputStart: mark.end,
      startedAt: now,
      cwd: this.#cwd,
    }
    this.#line = null
    this.#promptStart = null
    this.#leavePrompt()
  }

  /** Without a running command there is nothing to finish: shells report the last exit code again on an empty line. */
  #finish(outputEnd: Offset, exitCode: number | null, now: Millis): void {
    if (this.#current === null) return
    this.#finished.push({ ...this.#current, outputEnd, exitCode, endedAt: now })
    this.#current = null
    if (this.#finished.length > commandsMax) this.#finished.shift()
  }

  #leavePrompt(): void {
    this.#atPrompt = false
    this.#continues = false
    this.#promptEnd = null
  }
}
