/**
 * An adapter: how a program is started as an agent, instructed, interrupted, ended and resumed. It is data, never
 * code. The known agents are in `known/`; `agents:` in config.yaml changes them and adds others.
 */

import { type HookCommands, type HookWay, noHooks } from './hooks.ts'

/** How its first instruction reaches a program that starts. `typed`: once it is idle. */
export type FirstInstruction =
  | { readonly by: 'typed' }
  | { readonly by: 'argument' }
  | { readonly by: 'flag'; readonly flag: string }
  | { readonly by: 'stdin' }

/** `ask`: its own checks as they are. `edits`: it may change files without asking. `all`: it asks for nothing. */
export const permissionModes = ['ask', 'edits', 'all'] as const
export type PermissionMode = (typeof permissionModes)[number]

/** Arguments with `{id}` for a conversation, as the program calls it, and `{cwd}` for its folder. Null: not supported. */
interface Conversations {
  /** Begins one under an id that is given to it. */
  readonly begin: readonly string[] | null
  readonly resume: readonly string[] | null
  /** Text on its screen once the earlier conversation is loaded. Given where text that is entered before that is lost. */
  readonly shows?: string
  /** Starts a new conversation that continues an earlier one. */
  readonly fork: readonly string[] | null
}

export interface Adapter {
  /** Its name in the roster, or in `agents:`. */
  readonly name: string
  readonly title: string
  /** Its purpose, in the words of its user. */
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
  /** How the program gets its hooks; null: no way is known. */
  readonly hookWay: HookWay | null
  /** The user’s shell starts it, with its start-up files; null: the caller decides. */
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

// How the transcripts of a program look: where they lie, and which of their fields say what was answered and used. Data, never code; one
// reader understands all of them.

/** Names of fields, from outside in, with a `.` between them. */
export type FieldPath = string

/** A rule that reads records of one kind. */
export interface RecordRule {
  /** Its fields have these values; null: there is none. */
  readonly where: Readonly<Record<FieldPath, string | boolean | null>>
  /** The text of the model: a text, or a list whose parts may be texts. */
  readonly text?: FieldPath
  readonly model?: FieldPath
  readonly used?: UsedFields
}

export interface UsedFields extends AmountFields {
  /** `each`: the usage of one request. `total`: that of all requests so far. */
  readonly counts: 'each' | 'total'
  /** Records with the same value here are of one request, and the last of them counts. */
  readonly key?: FieldPath
  /** The part of a total that the newest request has added: the first total of a fork includes the usage before it. */
  readonly newest?: AmountFields
  /** It says a cost of 0 also where it knows no price. */
  readonly zeroCostIsNone?: boolean
}

/** Fields whose numbers are added up. */
export interface AmountFields {
  /** With what was read from a cache. */
  readonly input?: readonly FieldPath[]
  readonly output?: readonly FieldPath[]
  readonly cached?: readonly FieldPath[]
  /** In US dollars, as the program itself says. */
  readonly cost?: readonly FieldPath[]
}

interface ShapeOfAll {
  /** The folder that all of it is below: in that of the variable, where it is set, else in the user’s home. */
  readonly folder: { readonly variable: string; readonly below: string; readonly otherwise: string }
  /** When a record was made: a date as text, or milliseconds since 1970. */
  readonly at: FieldPath
  readonly rules: readonly RecordRule[]
}

/** Files with a JSON object in each line, which only grow. */
export interface LinesShape extends ShapeOfAll {
  readonly kind: 'lines'
  /** `{id}` is replaced by the conversation, `{short}` by its first eight characters; `*` matches any name, `**` any folders. */
  readonly file: string
  /** Below the folder of that, those of its helpers, whose answers are not its own; null where they have none. */
  readonly helpers: string | null
  /** A line with none of these says nothing. */
  readonly marks: readonly string[]
  /** Lists of records inside a record. */
  readonly lists: readonly FieldPath[]
}

/** A database of SQLite: a table of conversations, one of messages, and one of their parts. The data of the last two are JSON. */
export interface DatabaseShape extends ShapeOfAll {
  readonly kind: 'database'
  readonly file: string
  readonly conversations: {
    readonly table: string
    readonly id: string
    readonly cwd: string
    readonly begunAt: string
    /** Not null where a conversation is that of a helper. */
    readonly parent: string
  }
  /** An index goes by the conversation, respectively the message, and by time within it. */
  readonly messages: { readonly table: string; readonly index: string; readonly id: string; readonly data: string }
  /** A message gets its parts as the field `parts`. */
  readonly parts: { readonly table: string; readonly index: string; readonly data: string }
}

export type TranscriptShape = LinesShape | DatabaseShape
