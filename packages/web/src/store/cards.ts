/** Requests that need a person, as cards. An answered card stays briefly in its position to show who answered it. */

import type { Approval } from '@agentpty/protocol/approvals'
import { type Need, steadyMs } from '@agentpty/protocol/needs'
import { signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'

export interface Card {
  readonly need: Need
  /** Open, answered here (with the text of the answer), or no longer open. */
  readonly state: 'open' | 'gone' | { readonly answered: string }
}

export const cards = signal<readonly Card[]>([])
/** Details of approvals that their needs do not contain, by id. */
export const approvals = signal<ReadonlyMap<string, Approval>>(new Map())

/** The time for which a closed card shows its outcome. */
const farewellMs = 3_000

/** Returns the cards after a change of `needs`. No card moves because another one was answered. */
export function cardsAfter(before: readonly Card[], needs: readonly Need[]): readonly Card[] {
  const now = new Map(needs.map((need) => [need.needId, need]))
  const known = new Set(before.map(({ need }) => need.needId))
  const kept = before.map((card): Card => {
    const need = now.get(card.need.needId)
    if (need === undefined) return card.state === 'open' ? { ...card, state: 'gone' } : card
    return need === card.need ? card : { ...card, need }
  })
  const come = needs.filter(({ needId }) => !known.has(needId)).map((need): Card => ({ need, state: 'open' }))
  return [...kept, ...come]
}

export function showNeeds(needs: readonly Need[]): void {
  const open = new Set(cards.peek().flatMap(({ need, state }) => (state === 'open' ? [need.needId] : [])))
  cards.value = cardsAfter(cards.peek(), needs)
  for (const { need, state } of cards.peek()) if (state === 'gone' && open.has(need.needId)) forgetLater(need.needId)
}

/** Removes the card after its outcome was shown. */
export function forgetLater(needId: string): void {
  systemClock.callAfter(farewellMs, () => {
    cards.value = cards.value.filter(({ need, state }) => need.needId !== needId || state === 'open')
  })
}

/** Describes the outcome of a closed card. */
export function farewellWords({ need, state }: Card, approval: Approval | undefined): string {
  if (typeof state === 'object') return state.answered
  if (approval !== undefined && approval.state !== 'open') {
    const by = approval.answeredBy === null ? '' : ` by ${approval.answeredBy}`
    if (approval.state === 'withdrawn') return 'Withdrawn: its client, its terminal or its program has ended.'
    return `${approval.state === 'expired' ? 'Expired: it was not done' : `Already ${approval.state}${by}`}.`
  }
  return need.kind === 'failure' ? 'A person has viewed it.' : 'Answered elsewhere, or no longer needed.'
}

/** Tracks how long an element has stayed in place. It prevents clicks on a button that has just replaced another one. */
export class Steady {
  readonly #places = new Map<string, { readonly place: string; readonly since: number }>()

  /** Records the current positions. Elements that are not listed are forgotten. */
  note(places: readonly (readonly [id: string, place: string])[], now: number): void {
    const ids = new Set(places.map(([id]) => id))
    for (const id of this.#places.keys()) if (!ids.has(id)) this.#places.delete(id)
    for (const [id, place] of places)
      if (this.#places.get(id)?.place !== place) this.#places.set(id, { place, since: now })
  }

  isSteady(id: string, now: number): boolean {
    const known = this.#places.get(id)
    return known !== undefined && now - known.since >= steadyMs
  }
}
