/** The answer of an agent as it says it itself, or its hook does at the end of a turn. */

import { type Clock, TermError } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import type { Artifacts } from './artifacts.ts'
import { lastFencedAnswer } from './fenced-answers.ts'
import { fencesOf } from './fences.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import { leads, ownTerminal } from './own-place.ts'

interface Keeping {
  readonly kept: KeptByTerminal
  readonly artifacts: Artifacts
  readonly clock: Clock
}

/** Errors: `denied`, `invalid_input`, `session_not_found`. */
export function keepAnswer(
  { terminalId: named, output, unlessAnswered }: ParsedVerbInput<'keepAnswer'>,
  terminals: AgentTerminals,
  { kept, artifacts, clock }: Keeping,
): VerbOutput<'keepAnswer'> {
  const hint = 'Name the agent: agentpty hook emit --in ID'
  const terminalId =
    named === undefined ? ownTerminal(terminals, 'there is nobody whose answer it is', hint) : terminals.idOf(named)
  if (!leads(terminalId, terminals, 'too'))
    throw new TermError('denied', `Only an agent itself says what it answers, and ${terminalId} is not yours.`, '')
  const task = kept.taskOf(terminalId)
  const taskId = task?.taskId ?? null
  const fenced = task?.nonce == null ? null : lastFencedAnswer(output, fencesOf(task.nonce))
  const isAnswered = artifacts.find(terminalId) !== null
  if (fenced === null && isAnswered && unlessAnswered) return { kept: false, taskId }
  artifacts.keep(terminalId, { output: fenced ?? output, source: 'hook' }, clock.wall())
  return { kept: true, taskId }
}
