/** Which items of a timeline an answer holds, and where the next one goes on. Pure. */

import { TermError } from '@agentpty/protocol'
import type { PlacedItem } from './timeline-items.ts'

/** Everything that stands behind this has been told; so has every record with this number or a larger one. */
export interface TimelinePlace {
  readonly at: number
  readonly offset: number
  readonly name: string
  /** Null: no record has been looked at. */
  readonly n: number | null
}

export interface PageOptions {
  readonly since: number
  readonly before: TimelinePlace | null
  readonly limit: number
  /** All records of what happened after this time are among the items; null: there are no older ones. */
  readonly completeAfter: number | null
  /** The oldest record that was looked at; null: none. */
  readonly oldest: number | null
}

/** The newest last; `next` where there may be older ones. */
export function pageOfItems(
  items: readonly PlacedItem[],
  { since, before, limit, completeAfter, oldest }: PageOptions,
): { readonly items: readonly PlacedItem[]; readonly next: TimelinePlace | null } {
  const wanted = items
    .filter(({ item }) => item.at >= since)
    .filter((placed) => before === null || inOrder(placeOf(placed), before) < 0)
    .toSorted((a, b) => inOrder(placeOf(a), placeOf(b)))
  const known = wanted.filter(({ item }) => completeAfter === null || item.at > completeAfter)
  const told = known.slice(-limit)
  if (completeAfter === null && told.length === known.length) return { items: told, next: null }
  const left = new Set(wanted)
  for (const placed of told) left.delete(placed)
  const n = [...left].reduce((most, one) => Math.max(most, (one.n ?? -1) + 1), oldest ?? before?.n ?? 0)
  const [first] = told
  // Nothing to tell of what was looked at: it goes on behind that.
  const from = first === undefined ? { at: completeAfter ?? since, offset: behindAll, name: '' } : placeOf(first)
  return { items: told, next: { ...from, n } }
}

const behindAll = Number.MAX_SAFE_INTEGER

const placeOf = ({ item, name }: PlacedItem) => ({ at: item.at, offset: offsetOf(item), name })

const offsetOf = (item: PlacedItem['item']) => ('offset' in item ? (item.offset ?? 0) : 0)

type Place = Omit<TimelinePlace, 'n'>

function inOrder(a: Place, b: Place): number {
  return a.at - b.at || a.offset - b.offset || (a.name === b.name ? 0 : a.name < b.name ? -1 : 1)
}

export function placeText({ at, offset, n, name }: TimelinePlace): string {
  return `${at}/${offset}/${n ?? '-'}/${name}`
}

/** Errors: `invalid_input`. */
export function readPlace(text: string): TimelinePlace {
  const [, at, offset, n, name] = /^(\d{1,15}(?:\.\d{1,6})?)\/(\d{1,16})\/(\d{1,15}|-)\/(.*)$/s.exec(text) ?? []
  if (at === undefined || offset === undefined || n === undefined || name === undefined)
    throw new TermError(
      'invalid_input',
      `before "${text}": no place in a timeline.`,
      'Give the `next` of an earlier answer as it is.',
    )
  return { at: Number(at), offset: Number(offset), name, n: n === '-' ? null : Number(n) }
}
