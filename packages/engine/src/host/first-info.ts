/** What is noted of a terminal as it is opened. */

import type { Size } from '@agentpty/protocol'
import type { TreeLimits } from '@agentpty/protocol/agents'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import { freeLease, type SessionInfo } from '@agentpty/protocol/session'
import { notedArgv } from './noted-argv.ts'

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
