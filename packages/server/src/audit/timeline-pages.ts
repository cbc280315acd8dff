/** Chooses the items of a timeline for one page, and where the next page starts. Pure. */

import { lineOfCommand, type Session } from '@agentpty/engine/session'
import { defined, invalidInput, type Offset } from '@agentpty/protocol'
import { type AuditCaller, happenedAt, type RecordOf, type TerminalRecord } from '@agentpty/protocol/audit'
import { callerWords } from '@agentpty/protocol/call'
import type { RecordedDeletion } from '@agentpty/protocol/effects'
import type { Need } from '@agentpty/protocol/needs'
import { type TimelineItem, timelineTextCharactersMax } from '@agentpty/protocol/timeline'
import { isTypingVerb, type TypingVerb } from '@agentpty/protocol/verbs'

/** Everything after this position was returned, and so was every record with this number or a larger one. */
export interface TimelinePlace {
  readonly at: number
  readonly offset: number
  readonly name: string
  /** Null: no record has been looked at. */
  readonly n: number | null
}

interface PageOptions {
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
  const page = known.slice(-limit)
  if (completeAfter === null && page.length === known.length) return { items: page, next: null }
  const left = new Set(wanted)
  for (const placed of page) left.delete(placed)
  const n = [...left].reduce((most, one) => Math.max(most, (one.n ?? -1) + 1), oldest ?? before?.n ?? 0)
  const [first] = page
  // Nothing to return from the records read: the next page starts after them.
  const from = first === undefined ? { at: completeAfter ?? since, offset: behindAll, name: '' } : placeOf(first)
  return { items: page, next: { ...from, n } }
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
    throw invalidInput(`before "${text}": no place in a timeline.`, 'Give the `next` of an earlier answer as it is.')
  return { at: Number(at), offset: Number(offset), name, n: n === '-' ? null : Number(n) }
}

// Makes items of a timeline: of what the journal has recorded, and of what the session itself knows. Pure functions of both.

/** An item with its place among those of the same time. */
export interface PlacedItem {
  readonly item: TimelineItem
  /** Distinguishes it from all others of its time. */
  readonly name: string
  /** The number of its record; null for what the session knows. */
  readonly n: number | null
}

interface RecordWords {
  /** The caller sees only some terminals, so the names of others are left out. */
  readonly isScoped: boolean
  /** Returns the text at the end of the output at that offset, which is the question. */
  readonly questionBefore: (offset: Offset) => string
}

/** Those of records, the newest first; a take-over that is only extended is one. */
export function itemsOfRecords(records: readonly TerminalRecord[], words: RecordWords): readonly PlacedItem[] {
  const oldestFirst = records
    .toSorted((a, b) => happenedAt(a) - happenedAt(b) || a.n - b.n)
    .flatMap((record) => {
      const item = record.kind === 'approval' ? approvalItem(record) : callItem(record, words)
      return item === null ? [] : [{ item, name: record.id, n: record.n }]
    })
  let holder: string | null = null
  return oldestFirst.filter(({ item }) => {
    if (item.kind !== 'lease') return true
    const isExtended = item.event === 'taken' && item.who === holder
    holder = item.event === 'taken' ? item.who : null
    return !isExtended
  })
}

function approvalItem({ at, event, approvalId, resolved, rule, by, waitedMs }: RecordOf<'approval'>): TimelineItem {
  return defined({ kind: 'approval', at, event, approvalId, text: resolved, rule, who: by, waitedMs })
}

/** Verbs that type and are shown as more than typed text. */
const itemOfTyping: Readonly<Partial<Record<TypingVerb, 'answered' | 'take'>>> = {
  secret: 'answered',
  answer: 'answered',
  take: 'take',
}

/** Null for calls that are no item. */
function callItem(call: RecordOf<'call'>, words: RecordWords): TimelineItem | null {
  const { verb, offset, text, bytes, outcome } = call
  const who = whoIs(call.who, words)
  const isPerson = call.who.person === true
  const at = happenedAt(call)
  const itemOfVerb = isTypingVerb(verb) ? (itemOfTyping[verb] ?? 'typed') : verb
  switch (itemOfVerb) {
    case 'typed':
    case 'signal':
      return defined({ kind: 'typed', at, offset, who, isPerson, verb, text, bytes, outcome })
    case 'answered':
    case 'reply': {
      if (outcome !== 'done' && outcome !== 'open') return null
      const asked = offset === undefined ? '' : words.questionBefore(offset)
      return defined({ kind: 'question', at, offset, state: 'answered', text: asked, who, isPerson })
    }
    case 'take':
    case 'release': {
      if (outcome !== 'done') return null
      const why = text === 'both' ? undefined : text
      return defined({ kind: 'lease', at, offset, event: verb === 'take' ? 'taken' : 'released', who, text: why })
    }
    case 'instruct':
    case 'spawn':
      return defined({ kind: 'task', at, offset, event: 'given', who, text, outcome })
    default:
      return null
  }
}

function whoIs(who: AuditCaller, { isScoped }: RecordWords): string {
  if (!isScoped) return callerWords(who)
  const { client, program, person } = who
  return callerWords(defined({ client, program, person }))
}

/** Its commands, its sizes and its end, at the times of a recording of it. */
export function itemsOfSession(session: Session, endedAt: number): readonly PlacedItem[] {
  const { exit, parsedTo } = session
  const items = [...commandItems(session), ...sizeItems(session)]
  if (exit === null) return items
  const end = { kind: 'exit', at: endedAt, offset: parsedTo, exitCode: exit.code, signal: exit.signal } as const
  return [...items, { item: end, name: 'exit', n: null }]
}

function commandItems(session: Session): readonly PlacedItem[] {
  const { timeline } = session
  const { commands, current } = session.commands
  const all = [...commands, ...(current === null ? [] : [{ ...current, outputEnd: null, exitCode: null }])]
  // A command begins with the last byte of its mark: its first output may come much later.
  const times = timeline.timesOf(
    all.flatMap(({ outputStart, outputEnd }) => [outputStart - 1, outputEnd ?? outputStart]),
  )
  return all.map((command, index) => {
    const { outputStart, outputEnd, exitCode } = command
    const line = lineOfCommand(command, session).trim().slice(0, timelineTextCharactersMax)
    const item: TimelineItem = {
      kind: 'command',
      at: times[2 * index] ?? 0,
      ...(outputStart <= timeline.unknownTo ? { timeUnknown: true as const } : {}),
      offset: outputStart,
      line,
      end: outputEnd,
      endedAt: outputEnd === null ? null : (times[2 * index + 1] ?? 0),
      exitCode,
    }
    return { item, name: `command-${outputStart}`, n: null }
  })
}

function sizeItems({ timeline }: Session): readonly PlacedItem[] {
  return timeline
    .from(0)
    .moments.flatMap(({ offset, at, size }, index) =>
      size === undefined
        ? []
        : [{ item: { kind: 'size', at, offset, ...size } as const, name: `size-${offset}-${index}`, n: null }],
    )
}

/** The jobs that deleted or overwrote files. */
export function itemsOfKept(jobs: readonly RecordedDeletion[]): readonly PlacedItem[] {
  return jobs.map(({ id, at, program, command, files }) => ({
    item: {
      kind: 'kept',
      at,
      who: program,
      text: command.slice(0, timelineTextCharactersMax),
      files,
      id,
    },
    name: id,
    n: null,
  }))
}

const questions: ReadonlySet<Need['kind']> = new Set<Need['kind']>([
  'question',
  'dialog',
  'password',
  'confirmation',
  'takeOver',
])

/** Returns the items that wait for a person now. */
export function itemsOfNeeds(needs: readonly Need[], terminalId: string): readonly PlacedItem[] {
  return needs
    .filter((need) => need.terminalId === terminalId && questions.has(need.kind))
    .map(({ needId, since: at, text }) => ({
      item: { kind: 'question', at, state: 'open', text: text.slice(0, timelineTextCharactersMax) } as const,
      name: needId,
      n: null,
    }))
}
