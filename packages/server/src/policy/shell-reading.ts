/** The current reader of typed text in a terminal: a shell, whose lines are commands, or a program, whose lines are not. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { CommandTracker } from '@agentpty/engine/marks'
import type { Session } from '@agentpty/engine/session'
import { type Clock, type Millis, type Offset, TermError } from '@agentpty/protocol'
import { type PolicyShell, policyShells, type TypingKind } from '@agentpty/protocol/policy'
import type { Kind } from '@agentpty/protocol/session'
import type { EnteredLine } from '@agentpty/shell-policy'
import type { TypedSoFar } from './shell-lines.ts'

export type Reader =
  /** `place` distinguishes the shells of one terminal: each has its own variables and folder. */
  | { readonly kind: 'shell'; readonly shell: PolicyShell; readonly place: 'own' | 'nested' | 'far' }
  /** The typed text is a secret, which no other reader may see, including this server. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'program'; readonly typingKind: TypingKind; readonly name: string }

/** A program that is busy is taken for its shell, which reads what was typed ahead: `ms` to learn that it waits itself. */
const freshVerdictMs = 100

/** Returns immediately when the shell has marked its prompt; otherwise the kernel may have to be asked. */
export function readerOf(session: Session): Reader | Promise<Reader> {
  return ownPrompt(session) ?? readerByKernel(session)
}

function ownPrompt({ info, commands }: Session): Reader | null {
  if (info.shell === null || !commands.atPrompt) return null
  return { kind: 'shell', shell: shellNamed(info.shell), place: 'own' }
}

async function readerByKernel(session: Session): Promise<Reader> {
  const { state, kind } = await session.freshVerdict(freshVerdictMs)
  const { info, program } = session
  const { group, isInner } = program.foreground
  const name = program.foreground.name || basename(info.argv[0] ?? '')
  const isOwnShell = info.shell !== null && !isInner && group === session.pid
  if (kind === 'password') return { kind: 'secret' }
  const far = typingKindOf(name) === 'remote'
  if (far && isShellKind(kind)) return { kind: 'shell', shell: 'bash', place: 'far' }
  // A shell that shows a recalled line shows no prompt, and runs it all the same.
  if (isShellKind(kind) || isOwnShell || (shells.test(name) && readsCommands(group)))
    return {
      kind: 'shell',
      shell: shellNamed(isOwnShell ? (info.shell ?? name) : name),
      place: isOwnShell ? 'own' : 'nested',
    }
  // Once the program has ended, the shell behind it reads the text.
  if (state !== 'ready' && info.shell !== null) return { kind: 'shell', shell: shellNamed(info.shell), place: 'own' }
  return { kind: 'program', typingKind: typingKindOf(name, kind), name }
}

const shells = /^-?(?:bash|sh|zsh|fish|dash|ash|[a-z]*ksh\d*|busybox|pwsh)$/

/** The shell was started to be typed into: without a command and without a script. False where the system does not say. */
function readsCommands(pid: number): boolean {
  try {
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const operands = args.filter(
      (arg, at) => !/^[-+]/.test(arg) && !/^(?:--rcfile|--init-file|[-+][oOC])$/.test(args[at - 1] ?? ''),
    )
    return !args.some((arg) => /^-[a-z]*c/i.test(arg)) && operands.every((operand) => shells.test(operand))
  } catch {
    return false
  }
}

function isShellKind(kind: Kind | null): boolean {
  return kind === 'shell' || kind === 'continuation'
}

/** Unknown shells are read like sh. */
export function shellNamed(path: string): PolicyShell {
  const name = basename(path).replace(/^-/, '')
  return policyShells.find((shell) => shell === name) ?? 'sh'
}

/** Programs by what typing into them can do, which is a permission of its own. A table of names, as all of the policy is. */
const byName: readonly (readonly [TypingKind, RegExp])[] = [
  [
    'remote',
    /^(ssh|mosh-client|plink|dbclient|telnet|rlogin|docker|podman|nerdctl|kubectl|lxc|machinectl|virsh|cu|minicom|picocom|tio)$/,
  ],
  [
    'database',
    /^(psql|pgcli|mysql|mariadb|mycli|sqlite3?|litecli|redis-cli|mongosh?|duckdb|sqlplus|sqlcmd|cqlsh|influx|clickhouse.*)$/,
  ],
  ['editor', /^(vim?|nvim|vim\.\w+|view|ex|ed|emacs.*|nano|pico|micro|joe|jed|mg|ne|kak|hx|helix|mcedit)$/],
]

const byKind: Partial<Record<Kind, TypingKind>> = { repl: 'repl', agent: 'agent', menu: 'agent' }

function typingKindOf(name: string, kind: Kind | null = null): TypingKind {
  const named = byName.find(([, pattern]) => pattern.test(name))
  return named?.[0] ?? (kind === null ? 'other' : (byKind[kind] ?? 'other'))
}

/** Texts that only the shell can read: they may refer to its history, or use a syntax of its own. */
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
