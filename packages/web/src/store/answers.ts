/** Answers to requests that need a person. The first answer wins; the daemon decides which one that was. */

import type { GrantChoice } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import { attachedLeaseMs } from '@agentpty/protocol/session'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { rememberTaken } from '../terminal/page-lease.ts'
import { cards, forgetLater } from './cards.ts'
import { go } from './route.ts'
import { attempt, rows } from './store.ts'

/** `said`: the text that the card shows afterwards. `given` is not stored. */
async function answer(need: Need, given: Readonly<Record<string, unknown>>, said: string): Promise<void> {
  const { verb, input } = need.answerBy
  const whole = { ...input, ...given } as VerbInput<typeof verb>
  const answered = await attempt((client) => client.call(verb, whole))
  if (answered !== null) farewell(need, said)
}

export function decide(need: Need, isAllowed: boolean, grant?: GrantChoice): Promise<void> {
  const given = { answer: isAllowed ? 'allow' : 'deny', ...(grant === undefined ? {} : { grant }) }
  return answer(need, given, isAllowed ? (grant === undefined ? 'Allowed once.' : 'Allowed from now on.') : 'Denied.')
}

/** Denies what a gate holds, and ends the job that wanted it. */
export function denyAndEndJob(need: Need): Promise<void> {
  return answer(need, { answer: 'deny', endJob: true }, 'Denied, and its job ended.')
}

/** Answers a question or a password prompt. */
export function type(need: Need, text: string): Promise<void> {
  const waits = need.answerBy.verb === 'answer' ? { waitFor: 'none' } : {}
  return answer(need, { [need.answerBy.answer ?? 'text']: text, ...waits }, 'Typed.')
}

export function choose(need: Need, option: string): Promise<void> {
  return answer(need, { option }, `Chosen: ${option}`)
}

/** A program that reads a single key receives no Enter after it. */
export function confirm(need: Need, text: string): Promise<void> {
  const row = rows.value?.find(({ terminalId }) => terminalId === need.terminalId)
  return answer(need, { text, newline: row?.kind !== 'key', waitFor: 'none' }, `Answered: ${text}`)
}

/** Takes the terminal over and shows it. */
export async function takeOver({ terminalId }: Need): Promise<void> {
  if (terminalId === null) return
  const taken = await attempt((client) => client.call('take', { terminalId, forMs: attachedLeaseMs }))
  if (taken === null) return
  rememberTaken(terminalId, taken.lease)
  go({ room: 'terminal', terminalId })
}

export async function dismissNeed(need: Need): Promise<void> {
  const done = await attempt((client) => client.call('dismiss', { needId: need.needId }))
  if (done !== null) farewell(need, 'Dismissed.')
}

export function showTerminal({ terminalId }: Need): void {
  if (terminalId !== null) go({ room: 'terminal', terminalId })
}

function farewell({ needId }: Need, answered: string): void {
  cards.value = cards.value.map((card) => (card.need.needId === needId ? { ...card, state: { answered } } : card))
  forgetLater(needId)
}

/** Sorts the choices printed by a program into yes, no and others. */
export function choicesOf({ options = [] }: Need): {
  readonly yes: string
  readonly no: string
  readonly others: readonly string[]
} {
  const find = (letter: string) => options.find((one) => one.toLowerCase().startsWith(letter))
  const yes = find('y')
  const no = find('n')
  const others = options.filter((one) => one !== yes && one !== no)
  return { yes: (yes ?? 'y').toLowerCase(), no: (no ?? 'n').toLowerCase(), others }
}
