/** The terminal that a call types into. */

import type { Questions } from '@agentpty/protocol/questions'
import { type ParsedVerbInput, type VerbName, verbs } from '@agentpty/protocol/verbs'

/** Finds it as the verb's record says. Undefined for verbs that do not type, for a run that opens a terminal, and for a closed question. */
export function typesInto<Name extends VerbName>(
  name: Name,
  input: ParsedVerbInput<Name>,
  questions: Pick<Questions, 'find'>,
): string | undefined {
  const { types } = verbs[name].safety
  const named = input as { readonly terminalId?: string; readonly questionId?: string }
  if (types === 'questionId')
    return named.questionId === undefined ? undefined : questions.find(named.questionId)?.terminalId
  return types === null ? undefined : named.terminalId
}
