/** The meaning of reading, writing and removing a path. Every program's rule uses these. */

import { isAtOrBelow, isBelow, isPattern } from '../places/paths.ts'
import {
  isCredential,
  isDisk,
  isGuard,
  isHome,
  isIn,
  isPrivate,
  isProtectedRoot,
  isStart,
  isSystem,
  isTemporary,
  namesAll,
  placeTables,
} from '../places/places.ts'
import { editorSettings } from '../places/places-table.ts'
import type { PolicyState } from '../state/policy-state.ts'
import type { Code, Rule } from '../verdict.ts'
import { type Arg, isKnown, nothing, type Stream, taints, unknownMark, unknownStream } from './value.ts'

export type Effect = readonly [code: Code, rule: Rule] | null

/** `path` is absolute, or null when it cannot be known. */
export function effectOfRemoval(path: string | null, state: PolicyState): Effect {
  const effect = removalOf(path, state)
  if (effect?.[1] === 'deletion' && path !== null && isUnkeptHistory(path, state)) return ['Q2', 'destructive-vcs']
  return unlessKept(effect, path, state)
}

/** A gate neither asks about files in the `.git` of the workspace nor keeps them: git itself removes some all the time. A lock holds no history. */
function isUnkeptHistory(path: string, { gate, workspace }: PolicyState): boolean {
  if (gate === null || path.endsWith('.lock')) return false
  return path === workspace || isAtOrBelow(path, `${workspace}/.git`)
}

/** Drops an effect that walls prevent, or that a gate asks about, so no approval is needed. Neither lifts anything of the floor. */
function unlessKept(effect: Effect, path: string | null, state: PolicyState): Effect {
  if (effect === null || effect[0] === 'D2' || path === null || isPattern(path)) return effect
  return state.isHeld?.(path) === true || isGuardedByGate(effect[1], path, state) ? null : effect
}

/** A gate asks about every change of a start-up file or a key outside the workspace. In it such files are as free as the rest. */
function isGuardedByGate(rule: Rule, path: string, { gate, workspace }: PolicyState): boolean {
  const isOfTable = rule === 'persistence' || rule === 'credential-read'
  return gate !== null && isOfTable && !isAtOrBelow(path, workspace) && !isTemporary(path)
}

function removalOf(path: string | null, state: PolicyState): Effect {
  if (path === null) return ['Q2', 'deletion']
  if (isProtectedRoot(path, state)) return ['D2', 'root-wipe']
  if (isIn(placeTables.account, path)) return ['D2', 'privilege']
  if (isDisk(path)) return ['D2', 'disk-destruction']
  if (isGuard(path, state)) return ['Q2', 'self-tampering']
  if (isIn(placeTables.harmlessDevice, path) || isSystem(path, state)) return ['Q2', 'privilege']
  if (isWorkspaceItself(path, state)) return ['Q2', 'deletion']
  const isBounded = isBelow(path, state.workspace) || isTemporary(path)
  return [isBounded && !path.split('/').includes('.git') ? 'Q1' : 'Q2', 'deletion']
}

/** Returns whether the path is the workspace, its history, or everything directly in it. */
function isWorkspaceItself(path: string, { workspace }: PolicyState): boolean {
  if (!isAtOrBelow(path, workspace)) return false
  const parts = path
    .slice(workspace.length)
    .split('/')
    .filter((part) => part !== '')
  return parts.length === 0 || (parts.length === 1 && namesAll(parts[0] ?? ''))
}

/** Settings that make an editor skip its approval questions. */
const approvesByItself = /auto-?approve|yolo|chat\.tools|dangerously/i

export function effectOfWriting(path: string | null, content: Stream, state: PolicyState): Effect {
  return unlessKept(writingOf(path, content, state), path, state)
}

function writingOf(path: string | null, content: Stream, state: PolicyState): Effect {
  if (path === null) return ['Q2', 'outside-write']
  if (isIn(placeTables.harmlessDevice, path)) return null
  if (isIn(placeTables.sysrq, path)) return ['D2', 'power-state']
  if (isDisk(path)) return ['D2', 'disk-destruction']
  if (isIn(placeTables.account, path)) return ['D2', 'privilege']
  if (isGuard(path, state)) return ['Q2', 'self-tampering']
  if (editorSettings.test(path) && (approvesByItself.test(content.text) || !isKnown(content)))
    return ['Q2', 'self-tampering']
  if (isStart(path, state)) return ['Q2', 'persistence']
  if (isCredential(path, state) && !isAtOrBelow(path, state.workspace)) return ['Q2', 'credential-read']
  if (isSystem(path, state)) return ['Q2', 'privilege']
  // Files unpacked into a home may replace its start-up files.
  if (isHome(path, state) && path !== state.workspace) return ['Q2', 'persistence']
  if (isAtOrBelow(path, state.workspace) || isTemporary(path) || path === '/tmp') return null
  return ['Q1', 'outside-write']
}

export function effectOfReading(path: string | null, state: PolicyState): Effect {
  return path !== null && isCredential(path, state) ? ['Q2', 'credential-read'] : null
}

/** Returns the content of a file for programs that read it. */
export function contentOf(path: string | null, given: Arg, isSecret: boolean, state: PolicyState): Stream {
  if (path === null) return { ...unknownStream(given.taint), text: unknownMark }
  const written = state.files.get(path)
  if (written !== undefined) return written
  if (path === '/dev/null') return nothing
  if (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/')) return unknownStream(taints.network)
  if (isSecret || isPrivate(path)) return unknownStream(taints.secret)
  return unknownStream(path === '/dev/zero' || path.endsWith('random') ? taints.endless : taints.none)
}
