/** The contents of a transcript's record, by the rules of its shape. Pure; a record may be anything. */

import type { AmountFields, FieldPath, RecordRule, TranscriptShape, UsedFields } from '@agentpty/protocol/agents'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import type { Fences } from '../fences.ts'

export interface Amounts {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly cost: number | null
}

export interface Used extends Amounts {
  readonly counts: UsedFields['counts']
  /** Which rule says so: totals are those of one rule. */
  readonly rule: number
  readonly key: string | null
  /** The increment of a total; null when the record does not have it. */
  readonly newest: Amounts | null
}

export interface Said {
  /** In ms since 1970; null where it does not say. */
  readonly at: number | null
  readonly texts: readonly string[]
  readonly models: readonly string[]
  readonly used: readonly Used[]
}

/** Numbers above this are no counts of tokens. */
const amountMax = 1e12
const modelCharactersMax = 100

/** One for the record, and one for each in the lists that it has. */
export function readRecord(
  record: unknown,
  shape: Pick<TranscriptShape, 'at' | 'rules'>,
  lists: readonly FieldPath[] = [],
): readonly Said[] {
  if (!isObject(record)) return []
  const inside = lists.flatMap((path) => listAt(record, path))
  return [record, ...inside.filter(isObject)].map((one) => saidBy(one, shape))
}

function saidBy(record: JsonObject, { at, rules }: Pick<TranscriptShape, 'at' | 'rules'>): Said {
  const holding = rules.map((rule, index) => ({ rule, index })).filter(({ rule }) => holds(rule, record))
  return {
    at: timeOf(valueAt(record, at)),
    texts: holding.flatMap(({ rule }) => (rule.text === undefined ? [] : textOf(valueAt(record, rule.text)))),
    models: holding.flatMap(({ rule }) => (rule.model === undefined ? [] : modelOf(valueAt(record, rule.model)))),
    used: holding.flatMap(({ rule, index }) => (rule.used === undefined ? [] : usedBy(record, rule.used, index))),
  }
}

function holds({ where }: RecordRule, record: JsonObject): boolean {
  return Object.entries(where).every(([path, wanted]) => (valueAt(record, path) ?? null) === wanted)
}

function valueAt(record: JsonObject, path: FieldPath): unknown {
  let value: unknown = record
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

function listAt(record: JsonObject, path: FieldPath): readonly unknown[] {
  const value = valueAt(record, path)
  return Array.isArray(value) ? value : []
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : null
}

const textKinds: ReadonlySet<unknown> = new Set([undefined, 'text', 'output_text'])

/** A text, or the texts among parts: what is thought, and tools that are called, are none. */
function textOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((part: unknown) =>
    isObject(part) && textKinds.has(part['type']) && part['thought'] !== true && typeof part['text'] === 'string'
      ? [part['text']]
      : [],
  )
}

/** Returns the model of a record. Names in angle brackets are left out: they mark text of the program itself. */
function modelOf(value: unknown): readonly string[] {
  return typeof value === 'string' && /^[^<\s][^\n]*$/.test(value) ? [value.slice(0, modelCharactersMax)] : []
}

function usedBy(record: JsonObject, fields: UsedFields, rule: number): readonly Used[] {
  const { counts, key, newest, zeroCostIsNone = false } = fields
  const amounts = amountsIn(record, fields)
  if (amounts === null) return []
  const named = key === undefined ? null : valueAt(record, key)
  return [
    {
      ...amounts,
      cost: zeroCostIsNone && amounts.cost === 0 ? null : amounts.cost,
      counts,
      rule,
      key: typeof named === 'string' ? named : null,
      newest: newest === undefined ? null : amountsIn(record, newest),
    },
  ]
}

/** Null where there is none of the numbers. */
function amountsIn(record: JsonObject, { input = [], output = [], cached = [], cost = [] }: AmountFields) {
  const given = sumOf(record, input)
  const made = sumOf(record, output)
  const fromCache = sumOf(record, cached)
  const price = sumOf(record, cost)
  if (given === null && made === null && price === null) return null
  return { input: given ?? 0, output: made ?? 0, cached: fromCache ?? 0, cost: price }
}

/** Null where none of them is a number. */
function sumOf(record: JsonObject, paths: readonly FieldPath[]): number | null {
  const numbers = paths.map((path) => valueAt(record, path)).filter(isAmount)
  return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0)
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= amountMax

// The answer between a task's fences in a model's message, to the letter. A fence in bold or code counts.

/** Markdown around a fence, in its line. */
const decoration = /^[ \t*_`#>]*$/

/**
 * The last whole one; null where there is none, or only the words of the request for it.
 *
 * @example exactAnswer('so:\n[a]\n| 1 |  \n[/a]', { open: '[a]', close: '[/a]' }) // '| 1 |  '
 */
export function exactAnswer(text: string, { open, close }: Fences): string | null {
  for (let end = text.lastIndexOf(close); end >= 0; end = end === 0 ? -1 : text.lastIndexOf(close, end - 1)) {
    const begin = text.lastIndexOf(open, end)
    if (begin < 0) return null
    const answer = between(text.slice(begin + open.length, end))
    if (!echoes.has(answer.trim())) return answer
  }
  return null
}

/** Between the fences of a request for them. */
const echoes: ReadonlySet<string> = new Set(['and', 'and a line'])

/** Without the rests of the lines of both fences. */
function between(text: string): string {
  const first = text.indexOf('\n')
  if (first < 0) return text.trim()
  const last = text.lastIndexOf('\n')
  const head = decoration.test(text.slice(0, first).replace(/\r$/, '')) ? first + 1 : 0
  const tail = decoration.test(text.slice(last + 1)) ? last : text.length
  // Both fences in lines of their own, with nothing between them.
  if (head > tail) return ''
  return text.slice(head, tail)
}
