/** What the verbs of agents do, and what they need of terminals for it. */

import type { CallContext } from '../call/call-context.ts'
import type { ParsedVerbInput, VerbInput, VerbOutput } from '../verbs/index.ts'

type AgentVerb = 'spawn' | 'pipeline' | 'artifact' | 'lineage' | 'changeLineage' | 'stopLineage'
type TerminalVerb = 'create' | 'send' | 'run' | 'list' | 'wait' | 'screenshot' | 'close'

/** The terminals of one call, as its caller may use them; a call that is taken back ends what is asked of them. */
export interface AgentTerminals {
  readonly context: Pick<CallContext, 'signal' | 'progress' | 'waitMsMax'>
  call<Name extends TerminalVerb>(
    name: Name,
    input: VerbInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<VerbOutput<Name>>
  /** The id of a terminal that may be given by its name. Errors: `session_not_found`. */
  idOf(terminalId: string): string
  /** The newest output without escape sequences, as far as it is kept. Errors: `session_not_found`. */
  newestText(terminalId: string, bytesMax: number): Promise<string>
}

/** One for all clients of a server. Errors: those of the verb. */
export type Agents = {
  readonly [Name in AgentVerb]: (input: ParsedVerbInput<Name>, terminals: AgentTerminals) => Promise<VerbOutput<Name>>
}
