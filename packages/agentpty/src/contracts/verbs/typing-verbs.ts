/**
 * The verbs whose handlers write input of agents to the keyboard of a terminal that is there.
 *
 * The policy, the lease, the scope and the journal have an entry for each of them, and do not compile without it. Every other verb reaches
 * a keyboard only by a call of one of these (`reply` by `sendKeys`, `instruct` by `send`), or for a person alone (`take`):
 * `features/typing-verbs.test.ts` calls all verbs and fails where that does not hold.
 */

import type { VerbName } from './index.ts'

export const typingVerbs = [
  'send',
  'sendKeys',
  'run',
  'write',
  'secret',
  'answer',
] as const satisfies readonly VerbName[]

export type TypingVerb = (typeof typingVerbs)[number]

const names: ReadonlySet<string> = new Set(typingVerbs)

export function isTypingVerb(name: string): name is TypingVerb {
  return names.has(name)
}
