/**
 * An adapter: how a program is started as an agent, told what to do, interrupted, ended and taken up again. Data, never code: those of
 * known agents are in adapters-table.ts, and `agents:` in config.yaml changes them and adds others.
 */

import { type HookCommands, type HookWay, noHooks } from './hooks.ts'
import type { TranscriptShape } from './transcript-shape.ts'

/** How its first instruction reaches a program that starts. `typed`: once it is idle. */
export type FirstInstruction =
  | { readonly by: 'typed' }
  | { readonly by: 'argument' }
  | { readonly by: 'flag'; readonly flag: string }
  | { readonly by: 'stdin' }

/** `ask`: its own checks as they are. `edits`: it may change files without asking. `all`: it asks for nothing. */
export const permissionModes = ['ask', 'edits', 'all'] as const
export type PermissionMode = (typeof permissionModes)[number]

/** Arguments in which `{id}` stands for a conversation, as the program calls it, and `{cwd}` for its folder. Null: it cannot. */
export interface Conversations {
  /** Begins one under an id that is given to it. */
  readonly begin: readonly string[] | null
  readonly resume: readonly string[] | null
  /** What stands on its screen once the earlier one is loaded, where what is entered before is lost with it. */
  readonly shows?: string
  /** Goes on from one in another. */
  readonly fork: readonly string[] | null
}

export interface Adapter {
  /** As in the roster, or in `agents:`. */
  readonly name: string
  readonly title: string
  /** What it is for, in the words of its user. */
  readonly description: string | null
  /** The program, and what it always gets. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly firstInstruction: FirstInstruction
  /** Before the name of a model; null: none can be chosen. */
  readonly modelFlag: string | null
  /** Any name is taken where there are none. */
  readonly models: readonly string[]
  readonly defaultModel: string | null
  /** Arguments for each; null: the program has no such mode. */
  readonly permissions: Readonly<Record<PermissionMode, readonly string[] | null>>
  /** In which it is started. */
  readonly permissionMode: PermissionMode
  readonly conversations: Conversations
  /** How its transcripts look; null where they are not known. */
  readonly transcripts: TranscriptShape | null
  /** Keys that end its turn, one after the other, and keys that end it when it is idle. */
  readonly interrupt: readonly string[]
  readonly quit: readonly string[]
  /** A row that begins so, near the end of its screen, says that it is idle; null: only its turn says so. */
  readonly idlePattern: string | null
  /** A text on its screen from which on it can be instructed. */
  readonly readyPattern: string | null
  /** Its answers are asked for between fences. */
  readonly asksForAnswer: boolean
  /** Which it runs; none unless its settings say so: each costs a moment at every tool call. */
  readonly hooks: HookCommands
  /** How it is told of them; null: nobody knows how. */
  readonly hookWay: HookWay | null
  /** The user’s shell starts it, with its start-up files; null: whoever starts it decides. */
  readonly throughShell: boolean | null
}

/** Any command is an agent; nothing is known of it. */
export function adapterOfCommand(name: string, command: readonly string[]): Adapter {
  return {
    name,
    title: name,
    description: null,
    command,
    env: {},
    firstInstruction: { by: 'typed' },
    modelFlag: null,
    models: [],
    defaultModel: null,
    permissions: { ask: [], edits: null, all: null },
    permissionMode: 'ask',
    conversations: { begin: null, resume: null, fork: null },
    transcripts: null,
    interrupt: ['ctrl+c'],
    quit: ['ctrl+d'],
    idlePattern: null,
    readyPattern: null,
    asksForAnswer: false,
    hooks: noHooks,
    hookWay: null,
    throughShell: null,
  }
}

/** Those in which it can be started. */
export function permissionModesOf({ permissions }: Pick<Adapter, 'permissions'>): readonly PermissionMode[] {
  return permissionModes.filter((mode) => permissions[mode] !== null)
}
