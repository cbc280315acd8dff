/** The verbs of agents, and what they need of terminals. */

import type { CallContext } from '../call/call-context.ts'
import type { OverviewAgent, OverviewNode } from '../session/overview-event.ts'
import type { Offset } from '../units.ts'
import type { ParsedVerbInput, VerbInput, VerbOutput } from '../verbs/verbs.ts'
import type { TerminalStart } from './agent-text.ts'

type AgentVerb =
  | 'agents'
  | 'spawn'
  | 'fork'
  | 'resume'
  | 'instruct'
  | 'awaitAgents'
  | 'artifact'
  | 'sendMessage'
  | 'inbox'
  | 'sentMessages'
  | 'keepAnswer'
  | 'lineage'
  | 'changeLineage'
  | 'stopLineage'
  | 'retry'
type TerminalVerb =
  | 'create'
  | 'send'
  | 'run'
  | 'read'
  | 'list'
  | 'wait'
  | 'screenshot'
  | 'close'
  | 'artifact'
  | 'sendMessage'

/** The terminals of one call, as its caller may use them; when the call is cancelled, so are its calls of their verbs. */
export interface AgentTerminals {
  readonly context: Pick<CallContext, 'signal' | 'progress' | 'waitMsMax' | 'scope' | 'env' | 'client' | 'program'>
  call<Name extends TerminalVerb>(
    name: Name,
    input: VerbInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<VerbOutput<Name>>
  /** All terminals, those included that the caller does not see: for what is kept of all. */
  listAll(): Promise<VerbOutput<'list'>['terminals']>
  /** Terminals that a limit has closed, regardless of their scope. */
  overTime(): readonly OverTime[]
  /** The scope that a terminal belongs to; null when it belongs to none, or is gone. */
  scopeOf(terminalId: string): string | null
  /** How it was started; null when it is gone. */
  startOf(terminalId: string): TerminalStart | null
  /** The terminals above it, the outermost first; those that have gone included. None of one that is gone itself. */
  ancestorsOf(terminalId: string): readonly string[]
  /** The id of a terminal that may be given by its name. Errors: `session_not_found`. */
  idOf(terminalId: string): string
  /** Returns the place of a terminal in the tree, regardless of scope; null for one that is gone. */
  placeOf(terminalId: string): TerminalPlace | null
  isSeen(terminalId: string): boolean
  /** The end of its output. Errors: `session_not_found`. */
  endOf(terminalId: string): Offset
  /** Where a file must lie for its program to read it: a folder, or anywhere; null where it sees none of ours. */
  readableFolder(terminalId: string): string | 'anywhere' | null
  /** Returns the output from there on, without escape sequences. Errors: `session_not_found`. */
  textSince(terminalId: string, since: Offset, bytesMax: number): Promise<string>
  /** The newest kept output, without escape sequences. Errors: `session_not_found`. */
  newestText(terminalId: string, bytesMax: number): Promise<string>
}

export type LineageTerminal = OverTime['terminal'] &
  Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'kind' | 'needs' | 'exitCode'> & {
    readonly scope: string | null
    readonly start: TerminalStart
  }

export interface ScopedNode {
  readonly node: OverviewNode
  readonly scope: string | null
}

export interface OverTime {
  readonly terminal: Pick<
    VerbOutput<'list'>['terminals'][number],
    'terminalId' | 'name' | 'parent' | 'createdAt' | 'command' | 'cwd'
  >
  readonly scope: string | null
  /** In words that go on from "It was". */
  readonly why: string
  /** In milliseconds since 1970. */
  readonly closedAt: number
}

interface TerminalPlace {
  readonly name: string | null
  /** The terminal from which it was opened, and those above that; empty when it was opened from outside. */
  readonly parent: string | null
  readonly ancestors: readonly string[]
  readonly hasEnded: boolean
}

/** One instance for all clients of a server. Errors: those of the verb. */
export type Agents = {
  readonly [Name in AgentVerb]: (input: ParsedVerbInput<Name>, terminals: AgentTerminals) => Promise<VerbOutput<Name>>
} & {
  readonly tokensOf: TokensOf
  /** Returns the agent in a terminal as known without reading its files; null where there is no agent. */
  readonly glance: (terminalId: string) => OverviewAgent | null
  /** Brings the lineage up to date with all terminals, and returns the changes that callers have made to it. */
  readonly lineageOf: (terminals: readonly LineageTerminal[], overTime: readonly OverTime[]) => readonly ScopedNode[]
  /** Has its transcript read, so that the next glance includes its usage. */
  readonly lookSoon: (terminalId: string) => void
  /** From now on messages are typed, through these terminals, also those that an earlier server was given. */
  deliverMessages(terminals: AgentTerminals): void
}

/** How many tokens the agent of a terminal and all below it have used, in and out, as far as their programs tell; those that have gone included. `open`: all that are there. */
export type TokensOf = (terminalId: string, open: ReadonlySet<string>) => Promise<number>

type Seen = VerbOutput<'awaitAgents'>['agents'][number]
type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'needs'>

/** The agent has done what it was instructed to do, or has ended. An agent in a dialog waits, but has not finished. */
export function hasFinished({ state, needs }: Turn): boolean {
  return state === 'exited' || (state === 'ready' && needs !== 'answer')
}

/** Its program has ended by a signal, or with an exit code other than 0. */
export function hasCrashed({ state, exitCode, signal }: Partial<Seen>): boolean {
  return state === 'exited' && (exitCode !== 0 || signal !== undefined)
}
