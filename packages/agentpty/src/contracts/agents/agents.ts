/** The verbs of agents, and what they need of terminals. */

import type { CallContext } from '../call/call-context.ts'
import type { Offset } from '../units.ts'
import type { ParsedVerbInput, VerbInput, VerbOutput } from '../verbs/index.ts'

type AgentVerb =
  | 'agents'
  | 'spawn'
  | 'fork'
  | 'resume'
  | 'instruct'
  | 'awaitAgents'
  | 'artifact'
  | 'lineage'
  | 'changeLineage'
  | 'stopLineage'
type TerminalVerb = 'create' | 'send' | 'run' | 'list' | 'wait' | 'screenshot' | 'close'

/**
 * The terminals of one call, as its caller may use them; when the call is cancelled, so are its calls of their verbs.
 */
export interface AgentTerminals {
  readonly context: Pick<CallContext, 'signal' | 'progress' | 'waitMsMax' | 'scope' | 'env'>
  call<Name extends TerminalVerb>(
    name: Name,
    input: VerbInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<VerbOutput<Name>>
  /** All terminals, those included that the caller does not see: for what is kept of all. */
  listAll(): Promise<VerbOutput<'list'>['terminals']>
  /** The scope that a terminal belongs to; null when it belongs to none, or is gone. */
  scopeOf(terminalId: string): string | null
  /** The id of a terminal that may be given by its name. Errors: `session_not_found`. */
  idOf(terminalId: string): string
  /** The end of its output. Errors: `session_not_found`. */
  endOf(terminalId: string): Offset
  /** Whether it sees the files of its user as they are: there are no walls around it, and it is on this machine. */
  seesFiles(terminalId: string): boolean
  /** What it has printed from there on, without escape sequences. Errors: `session_not_found`. */
  textSince(terminalId: string, since: Offset, bytesMax: number): Promise<string>
  /** The newest kept output, without escape sequences. Errors: `session_not_found`. */
  newestText(terminalId: string, bytesMax: number): Promise<string>
}

/** One instance for all clients of a server. Errors: those of the verb. */
export type Agents = {
  readonly [Name in AgentVerb]: (input: ParsedVerbInput<Name>, terminals: AgentTerminals) => Promise<VerbOutput<Name>>
}
