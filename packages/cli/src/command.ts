/**
 * A command as a record: the command line, its help and the completion of shells are all read from it.
 *
 * Exit codes are stable: they are what scripts live by.
 */

import {
  type Client,
  type Clock,
  invalidInput,
  isTermError,
  type Size,
  type Stop,
  TermError,
  withCall,
} from '@agentpty/protocol'
import type { AuditRoom } from '@agentpty/protocol/audit'
import type { UndoRoom } from '@agentpty/protocol/effects'
import type { GymRoom } from '@agentpty/protocol/gym'
import type { ConfigSetting } from '@agentpty/protocol/home'
import type { ToolsetName } from '@agentpty/protocol/mcp'
import type { PolicyRoom } from '@agentpty/protocol/policy'
import type { RecordingsRoom } from '@agentpty/protocol/recording'
import type { ScopeTokens } from '@agentpty/protocol/scope'
import type { Doctor, FindAgents, Registrar, RegistrationRequest } from '@agentpty/protocol/setup'
import type { AtTerminal } from './read-yes.ts'

export const exitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  noDaemon: 3,
  /** The condition did not hold in time. */
  timeout: 4,
  /** The program ended before the condition held. */
  exited: 5,
} as const

/** Prints a result: as JSON for programs, as text for people. Resolves to the exit code. */
export async function printResult(
  { options, json }: Pick<CommandCall, 'options' | 'json'>,
  result: object,
  text: string,
): Promise<number> {
  await options.print(json ? `${JSON.stringify(result)}\n` : text)
  return exitCode.ok
}

/** The terminal that the command line runs in. */
export interface Terminal {
  readonly size: () => Size
  readonly onResize: (call: (size: Size) => void) => Stop
  /** Passes every key to `call` unchanged, control keys too; returns a function that stops it. */
  readonly keys: (call: (bytes: Uint8Array) => void) => Stop
}

export interface ConnectOptions {
  /** A daemon is started when there is none. */
  readonly mayStart: boolean
  /** A person types here, key by key. */
  readonly isPerson?: boolean
  /** The person at this terminal answers what calls may do. */
  readonly asksPerson?: boolean
}

declare const ownerMark: unique symbol
/** Access to the instance's files that refuses callers with the token of a scope. Only `ownerOnly` makes one. */
export type OwnerOnly<Access> = Access & { readonly [ownerMark]: true }

/** The parts of the process and the machine that the command line uses. */
export interface PipedInput {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Ends the reading, whatever is still to come. */
  readonly stop: Stop
}

export interface CliOptions {
  readonly version: string
  /** All commands, in the order of the help. */
  readonly commands: CommandTable
  /** The terminal that this runs in; null elsewhere. */
  readonly ownTerminalId: string | null
  /** Resolves when there is room for more. */
  readonly print: (text: string | Uint8Array) => void | Promise<void>
  readonly complain: (text: string) => void
  readonly clock: Clock
  /** The terminal of a person; null in a pipe. */
  readonly terminal: Terminal | null
  /** Calls once when the process is asked to end; returns a function that stops it. */
  readonly onInterrupt: (call: () => void) => Stop
  /** All of standard input. */
  readonly readInput: () => Promise<string>
  /** Standard input as it comes; null at a terminal. */
  readonly pipedInput: () => PipedInput | null
  /** Errors: `no_daemon` when none runs and none may be started, `daemon_gone` when it does not answer. */
  readonly connect: (options: ConnectOptions) => Promise<Client>
  readonly serveMcp: (toolsets?: readonly ToolsetName[]) => Promise<void>
  /** Serves terminalcp's socket until the process is asked to end. Errors: `limit_reached`. */
  readonly serveTerminalcp: () => Promise<void>
  /** Runs the daemon in the foreground until it is stopped. */
  readonly serve: () => Promise<void>
  /** Errors: `invalid_input` when an address is requested and HTTP is off. */
  readonly registrar: OwnerOnly<(request: RegistrationRequest) => Promise<Registrar>>
  /** The token for clients over HTTP; made when there is none yet. */
  readonly httpToken: OwnerOnly<() => string>
  /** Starts a browser that shows the file; false where there is none. */
  readonly openBrowser: (file: string) => Promise<boolean>
  /** Writes to the terminal this runs in. Errors: without one. */
  readonly writeToTerminal: (text: string) => void
  /** Where the configuration is, and what it says. Errors: `invalid_input`. */
  readonly configPath: string
  readonly explainConfig: () => Promise<readonly ConfigSetting[]>
  readonly doctor: Doctor
  /** The agents that can be started by name, without a daemon. Errors: `invalid_input`. */
  readonly findAgents: FindAgents
  /** Judges shell lines, without a daemon. Loaded only when needed. */
  readonly policy: () => Promise<PolicyRoom>
  /** The audit journal, without a daemon. Loaded only when needed. */
  readonly audit: OwnerOnly<() => Promise<AuditRoom>>
  /** Recordings, without a daemon. Loaded only when needed. */
  readonly recordings: OwnerOnly<() => Promise<RecordingsRoom>>
  /** Files that programs have deleted or overwritten, without a daemon. Loaded only when needed. */
  readonly undo: OwnerOnly<() => Promise<UndoRoom>>
  /** Tasks and their players; an agent that plays gets a scope of its own. Loaded only when needed. */
  readonly gym: OwnerOnly<() => Promise<GymRoom>>
  /** The tokens of scopes, without a daemon. */
  readonly scopes: OwnerOnly<() => Promise<ScopeTokens>>
  /** Environment variables of this process. */
  readonly variables: Readonly<Record<string, string>>
  /** A wall time as people and programs write it. */
  readonly isoTime: (wall: number) => string
  /** The working folder, and the home of the user. */
  readonly folders: { readonly cwd: string; readonly home: string }
}

export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** The name of its value in the help: `MS`. */
  readonly value?: string
  readonly help: string
  /** Allowed values, for completion. */
  readonly choices?: readonly string[]
}

export type FlagValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

export interface CommandCall {
  readonly options: CliOptions
  /** Words of the line that are not flags. */
  readonly words: readonly string[]
  readonly flags: FlagValues
  readonly json: boolean
}

export interface Command {
  /** One word, or two for commands that share their first word. */
  readonly name: string
  /** The words after the name: `ID TEXT...`. */
  readonly usage: string
  readonly summary: string
  readonly group: 'start' | 'terminals' | 'people' | 'records' | 'agents' | 'clients' | 'agentpty' | 'gym'
  readonly flags?: Readonly<Record<string, Flag>>
  /** Further notes for the help, a line each. */
  readonly notes?: readonly string[]
  /** Names and their meanings, for the help: settings, clients. */
  readonly list?: { readonly title: string; readonly rows: readonly (readonly [name: string, means: string])[] }
  readonly examples: readonly [string, ...string[]]
  /** How many words it takes. */
  readonly words: readonly [min: number, max: number]
  /** Its words are a command line: flags after the first of them are not ours. */
  readonly takesCommand?: true
  /** A flag that it does not have is a word like any other. */
  readonly takesFlags?: true
  /** The kind of thing that the first word, or every word, names. */
  readonly completes?: 'terminal' | 'terminals' | 'agent'
  /** Allowed values of the first word. */
  readonly choices?: readonly string[]
  /** Resolves to the exit code. */
  readonly run: (call: CommandCall) => Promise<number>
}

/** For each name what loads its command. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>

export function loadAll(
  table: CommandTable,
  names: readonly string[] = Object.keys(table),
): Promise<readonly Command[]> {
  return Promise.all(names.flatMap((name) => table[name]?.() ?? []))
}

/** Runs `use` with a connection that is closed afterwards, whatever happens. */
export async function withClient<Result>(
  options: CliOptions,
  use: (client: Client) => Promise<Result>,
  how: Partial<ConnectOptions> = {},
): Promise<Result> {
  const { connect, terminal, ownTerminalId } = options
  // In a terminal of agentpty an agent may type the answer: there the daemon takes none from this process.
  const asks = terminal !== null && ownTerminalId === null && how.isPerson !== true ? { terminal } : null
  const client = await connect({ mayStart: true, ...(asks === null ? {} : { asksPerson: true }), ...how })
  try {
    return await use(asks === null ? client : askingHere(client, { ...options, ...asks }))
  } finally {
    await client.close()
  }
}

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export function textsFlag(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** Errors: `invalid_input` for anything but a whole number. */
export function numberFlag(flags: FlagValues, name: string): number | undefined {
  const value = textFlag(flags, name)
  if (value === undefined) return undefined
  if (/^\d{1,12}$/.test(value)) return Number(value)
  throw invalidInput(`--${name} ${value}: not a whole number.`, `For example: --${name} 1000`)
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds. Errors: `invalid_input` for anything but a number with s, m, h or d. */
export function durationFlag(flags: FlagValues, name: string): number | undefined {
  const value = textFlag(flags, name)
  if (value === undefined) return undefined
  const found = /^(\d{1,6})([smhd])$/.exec(value)
  if (found !== null) return Number(found[1]) * (units[found[2] ?? ''] ?? 0)
  throw invalidInput(`--${name} ${value}: not a time.`, `For example: --${name} 30m (s, m, h or d)`)
}

/** Keys that are passed on to a program are no command of the person: a question in the midst of them would take the next key. */
const unasked: ReadonlySet<string> = new Set(['write', 'decide'])

/** A client whose calls ask the person at this terminal for what needs an approval. */
function askingHere(client: Client, asking: AtTerminal): Client {
  const call: Client['call'] = async (name, input, context) => {
    for (;;) {
      try {
        return await client.call(name, input, context)
      } catch (error) {
        if (!isTermError(error) || error.code !== 'needs_approval' || unasked.has(name)) throw error
        await ask(client, error, asking)
      }
    }
  }
  return withCall(client, call)
}

/** Resolves when the call may be made again. Errors: `not_approved`; the same error where the approval is not found. */
async function ask(client: Client, error: TermError, asking: AtTerminal): Promise<void> {
  const [{ approvalIn }, { approvalQuestion }, { readYes }] = await Promise.all([
    import('@agentpty/protocol/approvals'),
    import('./commands/approval-text.ts'),
    import('./read-yes.ts'),
  ])
  const { approvals } = await client.call('approvals', {})
  const asked = approvals.find(({ approvalId }) => approvalId === approvalIn(error))
  if (asked === undefined) throw error
  asking.complain(approvalQuestion(asked))
  const isAllowed = await readYes(asking)
  try {
    await client.call('decide', { approvalId: asked.approvalId, answer: isAllowed ? 'allow' : 'deny' })
  } catch (late) {
    // With the token of a scope nothing can be answered.
    if (isTermError(late) && late.code === 'denied') throw error
    // Another answer was first, or it has expired: the next call gets what counts.
    if (!isTermError(late) || late.code !== 'not_asking') throw late
  }
  if (!isAllowed) throw new TermError('not_approved', 'You have not allowed it: it was not done.', '')
}
