/** What is noted of a terminal as it is opened. */

import { notedArgvBytesMax, type Size } from '@agentpty/protocol'
import type { TreeLimits } from '@agentpty/protocol/agents'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import { freeLease, type SessionInfo } from '@agentpty/protocol/session'

export interface OpenOptions extends Size {
  readonly name: string | null
  readonly argv: readonly string[]
  readonly shell: string | null
  readonly cwd: string
  /** The program's environment; the id is known only now. */
  readonly env: (id: string) => Readonly<Record<string, string>>
  readonly createdBy: string
  /** See `SessionInfo`. */
  readonly mcpClient: string | null
  readonly parent: string | null
  /** The terminal that it is opened from, whether the caller sees it or not; null when that is none. */
  readonly above: SessionInfo | null
  /** Its own, and of all below it; null without. */
  readonly limits: TreeLimits | null
  readonly lineageKey: string
  readonly scope: string | null
  readonly isRecorded?: boolean
  /** The walls that `argv` puts up, and the program behind them; null without. */
  readonly enclosed: { readonly sandbox: SandboxInForce | null; readonly program: readonly string[] } | null
  /** It runs in the container of an environment. */
  readonly inside?: { readonly environment: string; readonly ptmx: string }
}

/** What the host itself knows of it. */
type Known = Readonly<Pick<SessionInfo, 'id' | 'endsAt' | 'createdAt' | 'logBytes'>> & {
  readonly ancestors: readonly string[]
  readonly givenLimits: readonly SessionInfo['givenLimits'][number][]
}

export function firstInfo(options: OpenOptions, { ancestors, givenLimits, ...known }: Known): SessionInfo {
  const {
    name,
    shell,
    cwd,
    createdBy,
    mcpClient,
    parent,
    lineageKey,
    scope,
    enclosed,
    above,
    inside,
    isRecorded = false,
  } = options
  return {
    ...known,
    ...{ name, shell, cwd, createdBy, mcpClient, parent, lineageKey, scope, isRecorded },
    argv: [...notedArgv(enclosed?.program ?? options.argv)],
    foldersAbove: foldersOf(above),
    ancestors: [...ancestors],
    givenLimits: [...givenLimits],
    clientEndedAt: null,
    isPaused: false,
    lease: freeLease,
    handBack: null,
    wanted: null,
    sandbox: enclosed?.sandbox ?? null,
    environment: inside?.environment ?? null,
    isFailureSeen: false,
  }
}

/** A terminal's own folder and those above it, each once. */
export function foldersOf(info: SessionInfo | null): string[] {
  return info === null ? [] : [...new Set([...info.foldersAbove, info.cwd])]
}

/** The part of a program's arguments that the notes of its session keep: the first ones, for the list of terminals. */

const cut = '…'

/** The same arguments when they are short; else their beginning, and at least the program itself, up to the bound. */
export function notedArgv(argv: readonly string[]): readonly string[] {
  const noted: string[] = []
  let left = notedArgvBytesMax
  for (const argument of argv) {
    const kept = left > 0 ? beginning(argument, left) : ''
    noted.push(kept)
    left -= Buffer.byteLength(JSON.stringify(kept)) + 1
    if (kept !== argument) return noted
  }
  return noted
}

/** As much as takes at most that many bytes of JSON, which writes some characters as six. */
function beginning(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && Buffer.byteLength(JSON.stringify(text)) <= bytesMax) return text
  let length = Math.min(text.length, bytesMax)
  while (length > 0 && Buffer.byteLength(JSON.stringify(text.slice(0, length) + cut)) > bytesMax)
    length = Math.floor(length / 2)
  return text.slice(0, length) + cut
}
