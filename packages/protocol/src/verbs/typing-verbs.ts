/**
 * The verbs whose records say that their handlers write to a keyboard.
 *
 * Every other verb reaches a keyboard only by a call of one of these (`reply` by `sendKeys`, `instruct` by `send`), or for a person alone
 * (`take`): `compose/typing-verbs.test.ts` calls all verbs and fails where that does not hold.
 */

import { isVerbName, type VerbName, type Verbs, verbs } from './verbs.ts'

export type TypingVerb = {
  [Name in VerbName]: Verbs[Name]['safety']['types'] extends null ? never : Name
}[VerbName]

export function isTypingVerb(name: string): name is TypingVerb {
  return isVerbName(name) && verbs[name].safety.types !== null
}
