/** What was typed into the terminals of a trial, as their timelines have it, as steps: each with what was shown there from then on until the next one. */

import { type Client, defined } from '@agentpty/protocol'
import type { StepInfo } from '@agentpty/protocol/gym'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { TypedStep } from './table.ts'

type Item = VerbOutput<'timeline'>['items'][number]
type Typed = Extract<Item, { readonly kind: 'typed' }>

/** In one answer of the timeline, of which the newest come first. */
const itemsAtOnce = 500
/** Of the journal of one trial. */
const pagesMax = 40

/** In the order in which they were typed. Errors: `session_not_found`. */
export async function noteJournal(
  client: Client,
  { terminalId, terminals: further = {} }: Pick<StepInfo, 'terminalId' | 'terminals'>,
  note: (step: TypedStep) => void,
): Promise<void> {
  const named = Object.entries(further).map(([terminal, id]) => stepsIn(client, id, { terminal }))
  const steps = (await Promise.all([stepsIn(client, terminalId, {}), ...named])).flat()
  for (const step of steps.toSorted((one, other) => one.at - other.at)) note(step)
}

async function stepsIn(
  client: Client,
  terminalId: string,
  named: { readonly terminal?: string },
): Promise<readonly TypedStep[]> {
  const typed = (await itemsOf(client, terminalId)).filter(
    (item): item is Typed => item.kind === 'typed' && item.outcome === 'done',
  )
  if (typed.length === 0) return []
  const { cursor: end } = await client.call('read', { terminalId, maxBytes: 256 })
  const steps: TypedStep[] = []
  for (const [index, { at, offset: from = 0, verb, text, bytes, who }] of typed.entries()) {
    const to = typed[index + 1]?.offset ?? end
    const { output } = await client.call('read', { terminalId, since: from, until: Math.max(from, to) })
    const given = defined({ ...named, text, bytes, who })
    steps.push({ verb, arguments: given, observation: output, at, cursor: { from, to } })
  }
  return steps
}

/** The oldest first. */
async function itemsOf(client: Client, terminalId: string): Promise<readonly Item[]> {
  const pages: (readonly Item[])[] = []
  let before: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const { items, next } = await client.call('timeline', defined({ terminalId, limit: itemsAtOnce, before }))
    pages.unshift(items)
    if (next === undefined) break
    before = next
  }
  return pages.flat()
}
