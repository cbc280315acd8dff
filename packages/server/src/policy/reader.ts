/** The current reader of typed text in a terminal: a shell, whose lines are commands, or a program, whose lines are not. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Session } from '@agentpty/engine/session'
import { type PolicyShell, policyShells, type TypingKind } from '@agentpty/protocol/policy'
import type { Kind } from '@agentpty/protocol/session'

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
