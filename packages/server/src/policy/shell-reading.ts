/** Texts that only the shell can read: they may refer to its history, or use a syntax of its own. */

import type { CommandTracker } from '@agentpty/engine/marks'
import type { Session } from '@agentpty/engine/session'
import { type Clock, type Millis, type Offset, TermError } from '@agentpty/protocol'
import type { EnteredLine } from '@agentpty/shell-policy'
import type { TypedSoFar } from './shell-lines.ts'

export interface ShellReading {
  /** Name of the shell, for example `zsh`. */
  readonly shell: string
  readonly typed: TypedSoFar
}

/** The shell reports before Enter how it reads such a text. */
export function isReadByShell({ text, isOpen }: EnteredLine, { shell, typed }: ShellReading): boolean {
  // The text of a here-document is no syntax.
  if (shell === 'bash' || typed.pending.includes('<<')) return false
  // zsh has its own syntax for braces and parentheses. bash does not know before Enter whether a text is complete.
  return isOpen || (shell === 'zsh' && /[{}()]/.test(text))
}

/** The text may refer to the history. */
export function mayRecall(shell: string, text: string): boolean {
  return /!|^\s*\^/.test(text) && shell !== 'fish'
}

// A shell's answers to lines that were entered, as its marks show them.

/** From Enter to the shell's answer: it runs the line, waits for the rest of it, or shows a prompt. */
const answerMsMax = 10_000

export interface Answering {
  readonly session: Session
  readonly clock: Clock
}

/** A command has started behind this offset. */
function hasRunSince({ current, last }: Pick<CommandTracker, 'current' | 'last'>, before: Offset): boolean {
  return ((current ?? last)?.outputStart ?? 0) > before
}

interface Prompting {
  readonly isAtPrompt: boolean
}

/** Resolves when the shell runs something, waits for the rest of a command, or shows a prompt, and at the latest after `ms`. */
export function answered({ session, clock }: Answering, before: Offset, ms: Millis = answerMsMax): Promise<void> {
  const { commands } = session
  const has = () => commands.hasInvitedSince(before) || (commands.current?.outputStart ?? 0) > before
  return untilOutput({ session, clock }, has, clock.now() + ms)
}

/** The shell has read the line as it was judged, and reads the next one as a line of its own, or of the same command where it is open. */
export async function isTaken(parts: Answering, before: Offset, { text, isOpen }: EnteredLine): Promise<boolean> {
  await answered(parts, before)
  const { commands } = parts.session
  const isBack = commands.hasInvitedSince(before)
  if (isOpen) return isBack && commands.continues
  if (isBack && commands.continues) return false
  return hasRunSince(commands, before) || /^\s*(?:#|$)/.test(text)
}

export async function isBackInTime(parts: Answering, gate: Prompting, ms: Millis = answerMsMax): Promise<boolean> {
  await untilOutput(parts, () => gate.isAtPrompt, parts.clock.now() + ms)
  return gate.isAtPrompt
}

async function untilOutput({ session, clock }: Answering, holds: () => boolean, deadline: Millis): Promise<void> {
  while (!holds() && session.exit === null && clock.now() < deadline)
    await session.wait({ conditions: [{ kind: 'output' }], since: session.log.end, deadline })
}

/** The prompt of a terminal's own shell: shown, or not yet again since the last Enter. */
export class ShellPrompt {
  readonly #parts: Answering
  /** Offset of the last Enter. Earlier prompts no longer count. */
  #enteredAt: Offset | null = null

  constructor(parts: Answering) {
    this.#parts = parts
  }

  /** The shell is at its own prompt, and has taken all entered lines. */
  get isShown(): boolean {
    const { info, commands } = this.#parts.session
    if (info.shell === null || !commands.atPrompt) return false
    return this.#enteredAt === null || commands.hasInvitedSince(this.#enteredAt)
  }

  /** The shell has shown nothing since the last Enter. */
  get isUnanswered(): boolean {
    const { info, commands } = this.#parts.session
    return info.shell !== null && commands.atPrompt && !this.isShown
  }

  /** The shell has run a command since the last Enter; true before the first one. */
  get hasRun(): boolean {
    return this.#enteredAt === null || hasRunSince(this.#parts.session.commands, this.#enteredAt)
  }

  entered(): void {
    this.#enteredAt = this.#parts.session.log.end
  }

  /** The shell has reported its line. */
  isRead(): void {
    this.#enteredAt = null
  }

  /** Resolves when the shell has answered the last Enter, and at the latest after `ms`. */
  answered(ms?: Millis): Promise<void> {
    return answered(this.#parts, this.#enteredAt ?? 0, ms)
  }
}

/** Errors of the line gate: it cannot say what the shell would run. */
export function busy({ info }: Session): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} has begun to run something else meanwhile, so nothing was typed.`,
    'Wait for its prompt with terminal_wait, and type it again.',
  )
}

export function stillBusy({ info }: Session, rest: string): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} still runs an earlier line, so the rest was not typed: ${JSON.stringify(rest.slice(0, 100))}.`,
    'Wait for its prompt with terminal_wait, and type the rest then.',
  )
}

export function unreadable({ info }: Session): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} does not report its line after these keys, so it was not entered.`,
    'It was dropped with ctrl+c. Type the whole line, and press Enter.',
  )
}
