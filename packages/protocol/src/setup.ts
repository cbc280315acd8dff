/** Registering agentpty with the clients of a machine. */

import * as z from 'zod'
import type { PermissionMode } from './agents/adapter.ts'
import type { RegistrableClient } from './agents/roster.ts'
import type { ToolsetName } from './mcp/tool.ts'
import { isObject, type JsonObject } from './wire/line-wire.ts'

/** How a client reaches a server: it starts a command, or asks at an address. */
export type ServerWay =
  | {
      readonly kind: 'stdio'
      readonly command: readonly string[]
      /** Variables that the server needs to reach this instance, whatever its client passes on. */
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly kind: 'http'; readonly url: string; readonly token: string }

export interface OfferedServer {
  readonly name: string
  readonly way: ServerWay
  /** A hint for people; empty when there is none. */
  readonly note: string
}

export interface RegistrationRequest {
  /** Register the address instead of the command. */
  readonly http: boolean
  /** Null: our own tools. */
  readonly toolsets: readonly ToolsetName[] | null
}

export interface RegistrationChange {
  readonly client: RegistrableClient
  readonly title: string
  readonly path: string
  /** `same`: nothing is to be done. `problem`: the file is left alone. */
  readonly kind: 'add' | 'update' | 'remove' | 'restore' | 'same' | 'problem'
  /** The entry as it will be, without its secret, or what is wrong. */
  readonly detail: string
  /** A further check for a person; empty when there is none. */
  readonly note: string
}

/** A client that is here, and what it knows of us. */
export interface ClientState {
  readonly client: RegistrableClient
  readonly title: string
  readonly path: string
  /** Why its file cannot be read; null when it can, or is not there. */
  readonly problem: string | null
  /** Other users may read its file. */
  readonly isOpen: boolean
  readonly entries: readonly RegisteredEntry[]
}

/** `names`: these clients, installed or not; none: all that are found, or that were registered before. */
export interface Registrar {
  readonly server: OfferedServer
  plan(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  register(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  /** `isDry`: only reports what would be done. `server`: only that one; null: all of ours. */
  undo(
    names: readonly RegistrableClient[],
    options: { readonly isDry: boolean; readonly server: string | null },
  ): readonly RegistrationChange[]
  registered(): readonly ClientState[]
}

export const ownServerName = 'agentpty'

/** A single door has the name of the system that it replaces; everything else is agentpty. */
export function serverNameOf(toolsets: readonly ToolsetName[] | null): string {
  const [first = 'terminal', ...others] = toolsets ?? []
  return first === 'terminal' || others.length > 0 ? ownServerName : first
}

/** Results of `agentpty agents`: the agents on a machine that can be started by name. */
export interface AgentProgram {
  readonly name: string
  readonly title: string
  /** Its purpose, in the words of its user. */
  readonly description: string | null
  readonly command: readonly string[]
  /** Where its program is; null where it is not on the search path. */
  readonly path: string | null
  /** The version that the program reports; null when it is not installed, is not asked, or does not report one. */
  readonly version: string | null
  /** Those that may be chosen; any where there are none. */
  readonly models: readonly string[]
  readonly defaultModel: string | null
  readonly permissions: PermissionMode
  /** Its entry in the configuration, as file and line; null for an agent that is as it comes. */
  readonly origin: string | null
  /** The reason why it cannot be started as configured; null also for one that is known and not installed. */
  readonly problem: { readonly what: string; readonly advice: string } | null
}

/** Returns one promise for each agent, in the order of their table. All programs are asked concurrently; none of the promises rejects. */
export type FindAgents = () => Promise<readonly Promise<AgentProgram>[]>

// Findings of `agentpty doctor` about a machine.

const findingMarks = ['ok', 'hint', 'warn', 'wrong'] as const

/** `hint`: something a person might want. `warn`: it works, but not as it should. `wrong`: it does not work. */
export type FindingMark = (typeof findingMarks)[number]

export interface Finding {
  /** The subject: this machine, the daemon, or the clients that are here. */
  readonly group: 'machine' | 'daemon' | 'clients'
  readonly name: string
  readonly mark: FindingMark
  readonly found: string
  /** The next step; empty when there is none. */
  readonly advice: string
}

export interface DoctorOptions {
  /** How long a client's server may take to answer, in milliseconds. */
  readonly answerMs: number
}

/** Yields each finding as soon as it is known. */
export type Doctor = (options: DoctorOptions) => AsyncIterable<Finding>

// How the doctor finds the daemon of a registered entry: the entry's list of tools contains it, under a key of its
// own.

/** The name under which the doctor connects. */
export const doctorName = 'agentpty-doctor'

export const reachedDaemonKey = 'agentpty/daemon'

export interface ReachedDaemon {
  readonly pid: number
  readonly stateFolder: string
  readonly socket: string
}

/** Null for a server that does not tell, as an older one. */
export function parseReachedDaemon(result: JsonObject): ReachedDaemon | null {
  const meta = result['_meta']
  const value = isObject(meta) ? meta[reachedDaemonKey] : null
  if (!isObject(value)) return null
  const { pid, stateFolder, socket } = value
  if (typeof pid !== 'number' || typeof stateFolder !== 'string' || typeof socket !== 'string') return null
  return { pid, stateFolder, socket }
}

const Texts = z.record(z.string(), z.string())

const Entry = z.object({
  command: z.union([z.string(), z.array(z.string())]).optional(),
  cmd: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: Texts.optional(),
  environment: Texts.optional(),
  envs: Texts.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  uri: z.string().optional(),
  headers: Texts.optional(),
  http_headers: Texts.optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
})

export type EntryWay =
  | {
      readonly kind: 'stdio'
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** Null: where the client runs. */
      readonly cwd: string | null
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

export interface RegisteredEntry {
  readonly name: string
  readonly isEnabled: boolean
  /** Null when it names neither a command nor an address. */
  readonly way: EntryWay | null
}

/** An entry for a server in a client's file. Each client spells the same few things in its own way. */
export function parseEntry(name: string, value: unknown): RegisteredEntry {
  const { success, data: entry } = Entry.safeParse(value)
  if (!success) return { name, isEnabled: true, way: null }
  return { name, isEnabled: entry.enabled !== false && entry.disabled !== true, way: wayOf(entry) }
}

function wayOf(entry: z.infer<typeof Entry>): EntryWay | null {
  const command = [entry.command ?? entry.cmd ?? [], entry.args ?? []].flat()
  if (command.length > 0) {
    const env = entry.env ?? entry.environment ?? entry.envs ?? {}
    return { kind: 'stdio', command, env, cwd: entry.cwd ?? null }
  }
  const url = entry.httpUrl ?? entry.serverUrl ?? entry.url ?? entry.uri
  if (url === undefined || !URL.canParse(url)) return null
  return { kind: 'http', url, headers: entry.headers ?? entry.http_headers ?? {} }
}
