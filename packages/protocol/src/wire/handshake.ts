import * as z from 'zod'
import type { AuditStatus } from '../audit.ts'
import type { Caller, WireOptions } from '../call/call-context.ts'
import { callerNameCharactersMax } from '../call/caller-name.ts'
import { defined } from '../collections.ts'
import { type DiscoveryState, type LockHolder, type PreviousEnd, parseHolder } from '../home/daemon-files.ts'
import { outputBytesMax, taskWaitMsMax } from '../limits.ts'
import { type ToolsetName, toolsetNames } from '../mcp/tool.ts'
import type { PolicyProfile } from '../policy/policy.ts'
import type { TerminalDrops } from '../session/session-names.ts'
import { isObject, parseObject } from './line-wire.ts'

/** The bounds of the options that cross a wire. */
export const wireOptions = z.strictObject({
  outputBytes: z.number().int().min(1).max(outputBytesMax).optional(),
  keepsBlanks: z.boolean().optional(),
  waitMsMax: z.number().min(0).max(taskWaitMsMax).optional(),
  typingMsMax: z.number().min(0).max(taskWaitMsMax).optional(),
} satisfies Record<keyof WireOptions, z.ZodType>)

/** The first line each side sends on the daemon's socket. After it the stream belongs to the face that was asked for. */
export interface ClientHello extends Pick<Caller, 'cwd' | 'env' | 'isPerson' | 'program' | 'asksPerson'> {
  /** `rpc`: verbs as JSON lines. `mcp`: an MCP client's own messages, as over stdio. */
  readonly face: 'rpc' | 'mcp'
  /** The caller; the same after a reconnection. Sessions remember who opened them. */
  readonly client: string
  /** The tools an MCP client is given; our own when absent. */
  readonly toolsets?: readonly ToolsetName[]
  /** The token of a scope, or the user’s own; without it the caller sees all that the user does. */
  readonly token?: string
}

export interface DaemonHello {
  readonly version: string
  /** The build of the daemon's code: a client of another build restarts the daemon. */
  readonly build: string
  readonly pid: number
  /** Where it runs, for whom, and with which state; null for a build without it. */
  readonly owner: DaemonOwner | null
}

export interface DaemonOwner {
  readonly process: LockHolder
  readonly userId: number
  readonly stateFolder: string
  readonly socket: string
}

export function writeHello(hello: ClientHello | DaemonHello): string {
  return `${JSON.stringify({ agentpty: 1, ...hello })}\n`
}

/** Null when the line is not a client's hello. */
export function parseClientHello(line: string): ClientHello | null {
  const hello = parseObject(line)
  if (hello?.['agentpty'] !== 1) return null
  const { face, client, cwd, env, toolsets } = hello
  const { token } = hello
  const isPerson = hello['isPerson'] === true ? true : undefined
  const asksPerson = hello['asksPerson'] === true ? true : undefined
  const program = typeof hello['program'] === 'string' ? hello['program'].slice(0, callerNameCharactersMax) : undefined
  // A token that is no text is invalid: without this check its caller would count as the owner.
  if (token !== undefined && typeof token !== 'string') return null
  if ((face !== 'rpc' && face !== 'mcp') || typeof client !== 'string' || typeof cwd !== 'string' || !isObject(env))
    return null
  const strings = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const named = toolsets === undefined ? undefined : asToolsets(toolsets)
  const own = { client, cwd, env: Object.fromEntries(strings) }
  return defined({ face, ...own, toolsets: named, token, isPerson, program, asksPerson })
}

/** The client has checked its names; names that are unknown here are left out. */
function asToolsets(names: unknown): readonly ToolsetName[] {
  return Array.isArray(names) ? toolsetNames.filter((name) => names.includes(name)) : []
}

/** Null when the line is not a daemon's hello. */
export function parseDaemonHello(line: string): DaemonHello | null {
  const hello = parseObject(line)
  if (hello?.['agentpty'] !== 1) return null
  const { version, build, pid } = hello
  if (typeof version !== 'string' || typeof build !== 'string' || typeof pid !== 'number') return null
  return { version, build, pid, owner: parseOwner(hello['owner']) }
}

/** Null for a value that names no owner. */
function parseOwner(value: unknown): DaemonOwner | null {
  if (!isObject(value)) return null
  const { userId, stateFolder, socket } = value
  const process = parseHolder(value['process'])
  if (process === null || typeof userId !== 'number') return null
  if (typeof stateFolder !== 'string' || typeof socket !== 'string') return null
  return { process, userId, stateFolder, socket }
}

// The state of a daemon itself, besides its terminals.

/** Gaps in the daemon's own log; null while its lines are written. */
export type DaemonLogStatus = {
  /** Time in the log's format. */
  readonly since: string
  readonly reason: string
  readonly lines: number
} | null

export interface DaemonStatus {
  readonly daemon: {
    readonly pid: number
    readonly version: string
    readonly build: string
    readonly startedAt: string
    readonly clients: number
  }
  readonly stateFolder: string
  /** How the daemon before it ended; null when there was none. */
  readonly previous: PreviousEnd | null
  readonly host: { readonly pid: number }
  /** The profile in the user’s configuration; a repository may be stricter. */
  readonly profile: PolicyProfile
  readonly sessions: { readonly open: number; readonly exited: number }
  /** Terminals that have left something out because a bound was reached. */
  readonly dropped: readonly TerminalDrops[]
  readonly audit: AuditStatus
  readonly log: DaemonLogStatus
  readonly socket: string
  /** MCP over HTTP, and its discovery files; null when it is turned off. */
  readonly http: { readonly url: string; readonly discovery: readonly DiscoveryState[] } | null
}
