/** Who will read what is typed into a terminal now: a shell, whose lines are commands, or a program, whose lines are not. */

import { basename } from 'node:path'
import { type PolicyShell, policyShells } from '../../contracts/policy/policy.ts'
import type { TypingKind } from '../../contracts/policy/rules.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { Session } from '../../engine/session/session.ts'
import { typingKindOf } from './typing-kind.ts'

export type Reader =
  /** `place` tells the shells of one terminal apart: each has variables and a folder of its own. */
  | { readonly kind: 'shell'; readonly shell: PolicyShell; readonly place: 'own' | 'nested' | 'far' }
  /** What is typed is a secret, which nobody else may read: not this server either. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'program'; readonly typingKind: TypingKind; readonly name: string }

/** A program that is busy is taken for its shell, which reads what was typed ahead: `ms` to learn that it waits itself. */
const freshVerdictMs = 100

/** At once where the shell has marked its prompt; otherwise the kernel may have to be asked. */
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
  if (isShellKind(kind) || isOwnShell)
    return {
      kind: 'shell',
      shell: shellNamed(isOwnShell ? (info.shell ?? name) : name),
      place: isOwnShell ? 'own' : 'nested',
    }
  // Whoever reads it once the program has ended is the shell behind it.
  if (state !== 'ready' && info.shell !== null) return { kind: 'shell', shell: shellNamed(info.shell), place: 'own' }
  return { kind: 'program', typingKind: typingKindOf(name, kind), name }
}

function isShellKind(kind: Kind | null): boolean {
  return kind === 'shell' || kind === 'continuation'
}

/** Shells that nobody has heard of are read like sh. */
export function shellNamed(path: string): PolicyShell {
  const name = basename(path).replace(/^-/, '')
  return policyShells.find((shell) => shell === name) ?? 'sh'
}
