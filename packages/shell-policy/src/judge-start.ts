/** Judges a program that is started by its words: no shell reads a line, so nothing needs to be parsed, whatever its length. */

import { type Judged, judgeLine, type PolicySession, type Situation, settled } from './judge.ts'
import { onlyReads } from './programs/read-only.ts'
import { ruleCheck } from './rules/rule-check.ts'
import { copyState } from './state/policy-state.ts'
import { judgementOf, strictest } from './verdict.ts'
import { Evaluation } from './walk/evaluation.ts'
import { arg, nothing } from './walk/value.ts'

export interface ProgramStart {
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** Its words; none for a shell of the system. A text is a line for a shell. */
  readonly command: readonly string[] | string
  /** All of it as it would be written at a prompt. */
  readonly text: string
}

const listedMax = 10_000 // characters of a line that may be on the list of what only reads

export function judgeStart(
  { variables, command, text }: ProgramStart,
  session: PolicySession,
  situation: Situation,
): Judged {
  const rules = ruleCheck(situation.rules)
  const evaluation = Evaluation.of(copyState(session.state), rules)
  for (const [name, value] of variables) evaluation.assign(name, arg(value))
  if (typeof command === 'string') {
    const line = judgeLine(command, evaluation.state, situation)
    return judged(strictest(evaluation.found, line.finding), { ...session, state: line.state }, situation)
  }
  if (command.length === 0) return judged(evaluation.found, session, situation)
  evaluation.run(
    command.map((word) => arg(word)),
    nothing,
    true,
  )
  const isShort = text.length <= listedMax
  const found = strictest(evaluation.found, (isShort ? rules?.line(text) : undefined) ?? evaluation.found)
  const isOnList = (others?: (words: readonly string[]) => boolean) => isShort && onlyReads(text, others)
  return judged(settled(found, situation, isOnList, rules), session, situation)
}

function judged(finding: Parameters<typeof judgementOf>[0], session: PolicySession, { profile }: Situation): Judged {
  return { judgement: judgementOf(finding, profile), session }
}
