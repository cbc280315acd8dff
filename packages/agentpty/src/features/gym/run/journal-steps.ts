/** What was typed into a terminal, as its timeline has it, as steps: each with what was shown from then on until the next one. */

import type { Client } from '../../../contracts/client.ts'
import { defined } from '../../../contracts/defined.ts'
import type { VerbOutput } from '../../../contracts/verbs/index.ts'
import type { TypedStep } from './table.ts'

type Item = VerbOutput<'timeline'>['items'][number]
type Typed = Extract<Item, { readonly kind: 'typed' }>

/** In one answer of the timeline, of which the newest come first. */
const itemsAtOnce = 500
/** Of the journal of one trial. */
const pagesMax = 40

/** Errors: `session_not_found`. */
export async function noteJournal(client: Client, terminalId: string, note: (step: TypedStep) => void): Promise<void> {
  const typed = (await itemsOf(client, terminalId)).filter(
    (item): item is Typed => item.kind === 'typed' && item.outcome === 'done',
  )
  const [first] = typed
  if (first === undefined) return
  const { cursor: end } = await client.call('read', { terminalId, maxBytes: 256 })
  for (const [index, { at, offset: from = 0, verb, text, bytes, who }] of typed.entries()) {
    const to = typed[index + 1]?.offset ?? end
    const { output } = await client.call('read', { terminalId, since: from, until: Math.max(from, to) })
    note({ verb, arguments: defined({ text, bytes, who }), observation: output, at, cursor: { from, to } })
  }
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
