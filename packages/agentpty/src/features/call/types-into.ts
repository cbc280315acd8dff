/** The terminal that a call types into. */

import type { Questions } from '../../contracts/questions/question.ts'
import type { ParsedVerbInput, VerbName } from '../../contracts/verbs/index.ts'
import { isTypingVerb, type TypingVerb } from '../../contracts/verbs/typing-verbs.ts'

type Find<Name extends TypingVerb> = (
  input: ParsedVerbInput<Name>,
  questions: Pick<Questions, 'find'>,
) => string | undefined

const named = ({ terminalId }: { readonly terminalId?: string | undefined }) => terminalId

const terminals: { readonly [Name in TypingVerb]: Find<Name> } = {
  send: named,
  sendKeys: named,
  run: named,
  write: named,
  secret: named,
  answer: ({ questionId }, questions) => questions.find(questionId)?.terminalId,
}

/** Finds the terminal by the call's input or its question. Undefined for verbs that do not type, for a run that opens a terminal, and for a closed question. */
export function typesInto<Name extends VerbName>(
  name: Name,
  input: ParsedVerbInput<Name>,
  questions: Pick<Questions, 'find'>,
): string | undefined {
  return isTypingVerb(name) ? (terminals[name] as Find<TypingVerb>)(input as never, questions) : undefined
}
