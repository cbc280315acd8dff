/**
 * The Program Status Protocol, OSC 7501, rev 0.3 of 2026-10-07: a program says what it is doing. Parsing and the records.
 *
 * A report replaces its record whole; `clear` removes a record and all below it. Everything in it came from a program and
 * may be wrong or hostile: what breaks the protocol's limits changes nothing.
 */

import { BoundedMap, type Millis } from '@agentpty/protocol'

export const statuses = ['idle', 'working', 'blocked', 'done', 'error'] as const
export type Status = (typeof statuses)[number]

export interface StatusRecord {
  readonly state: Status
  readonly kind: 'permission' | 'question' | 'auth' | null
  /** Per cent. */
  readonly progress: number | null
  readonly app: string | null
  readonly title: string | null
  readonly message: string | null
}

export type StatusReport =
  | { readonly id: string; readonly clear: true }
  | { readonly id: string; readonly clear: false; readonly record: StatusRecord }

const reportBytesMax = 4_096
const keyCharactersMax = 16
const idCharactersMax = 128
const idSegmentsMax = 8
const recordsMax = 256
const titleBytesMax = { encoded: 256, decoded: 192 }
const messageBytesMax = { encoded: 2_732, decoded: 2_048 }
const segment = /^[A-Za-z0-9_.+-]{1,32}$/
const controls = /[\x00-\x1f\x7f-\x9f]/
/** Invisible formatting that could make a text look like another one; joiners stay, scripts and emoji need them. */
const deceptive = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Null for anything that is not a report: it must be ignored as a whole. */
export function parseStatusReport(raw: string): StatusReport | null {
  if (Buffer.byteLength(raw) > reportBytesMax) return null
  const pairs = readPairs(raw)
  if (pairs === null) return null
  const id = pairs.get('id') ?? ''
  if (pairs.has('id') && !isId(id)) return null
  const texts = readTexts(pairs)
  const app = pairs.get('app') ?? null
  if (texts === null || (app !== null && app.length > 32)) return null
  const state = pairs.get('state')
  if (state === 'clear') return { id, clear: true }
  const known = statuses.find((one) => one === state)
  if (known === undefined) return null
  return { id, clear: false, record: readRecord(known, pairs, app, texts) }
}

function readPairs(raw: string): ReadonlyMap<string, string> | null {
  const pairs = new Map<string, string>()
  for (const part of raw.split(':')) {
    const at = part.indexOf('=')
    const key = part.slice(0, Math.max(0, at)).trim()
    if (at >= 0 && key.length > keyCharactersMax) return null
    if (/^[a-z]+$/.test(key)) pairs.set(key, part.slice(at + 1).trim())
  }
  return pairs
}

function isId(id: string): boolean {
  const segments = id.split('/')
  return id.length <= idCharactersMax && segments.length <= idSegmentsMax && segments.every((one) => segment.test(one))
}

interface Texts {
  readonly title: string | null
  readonly message: string | null
}

function readTexts(pairs: ReadonlyMap<string, string>): Texts | null {
  const title = readText(pairs.get('title'), titleBytesMax)
  const message = readText(pairs.get('msg'), messageBytesMax)
  return title === undefined || message === undefined ? null : { title, message }
}

/** Undefined for a text that makes the whole report void. */
function readText(
  encoded: string | undefined,
  max: { readonly encoded: number; readonly decoded: number },
): string | null | undefined {
  if (encoded === undefined) return null
  if (encoded.length > max.encoded || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString('utf8')
  if (bytes.length > max.decoded || text.includes('\ufffd') || controls.test(text)) return undefined
  return text.replaceAll(deceptive, '')
}

function readRecord(state: Status, pairs: ReadonlyMap<string, string>, app: string | null, texts: Texts): StatusRecord {
  const kind = (['permission', 'question', 'auth'] as const).find((one) => one === pairs.get('kind')) ?? null
  const progress = /^\d{1,3}$/.test(pairs.get('progress') ?? '') ? Number(pairs.get('progress')) : null
  const takesProgress = state === 'working' || state === 'blocked'
  return {
    state,
    kind: state === 'blocked' ? kind : null,
    progress: takesProgress && progress !== null && progress <= 100 ? progress : null,
    app: app !== null && segment.test(app) ? app : null,
    ...texts,
  }
}

/** Most urgent first. */
const urgency: readonly Status[] = ['blocked', 'error', 'done', 'working', 'idle']

/** The records of one session, by id; the root's id is empty. */
export class StatusRecords {
  /** The records in the order of their last update, oldest first. */
  readonly #records = new BoundedMap<string, StatusRecord>(recordsMax)

  get root(): StatusRecord | null {
    return this.#records.get('') ?? null
  }

  get all(): ReadonlyMap<string, StatusRecord> {
    return this.#records.entries
  }

  /** The record to show a person first; ties go to the newest. Null without records. */
  get mostUrgent(): StatusRecord | null {
    const newestFirst = [...this.#records.entries.values()].toReversed()
    return newestFirst.toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state))[0] ?? null
  }

  apply(report: StatusReport): void {
    if (report.clear) {
      this.#clear(report.id)
      return
    }
    const { id, record } = report
    // Deleted first, so that it inherits nothing from itself.
    this.#records.delete(id)
    this.#records.set(id, { ...record, app: record.app ?? this.#inheritedApp(id) })
  }

  /** A shell is back at its prompt: unfinished work will not be finished. */
  endUnfinished(): void {
    for (const [id, { state }] of this.#records.entries)
      if (state === 'working' || state === 'blocked' || state === 'idle') this.#records.delete(id)
  }

  #clear(id: string): void {
    if (id === '') this.#records.clear()
    for (const known of [...this.#records.entries.keys()])
      if (known === id || known.startsWith(`${id}/`)) this.#records.delete(known)
  }

  #inheritedApp(id: string): string | null {
    for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
      const app = this.#records.get(id.slice(0, at))?.app
      if (app) return app
    }
    return id === '' ? null : (this.root?.app ?? null)
  }
}

/** The state that an agent's program shows: in reports (OSC 7501), in its title, on its screen. */
export interface AgentReport {
  readonly state: 'idle' | 'working' | 'blocked'
  /** The question that it asks, when it reports that it is blocked. */
  readonly question: string | null
  /** The report came after the last input; an older one describes the state at the time of the input. */
  readonly current: boolean
  /** The terminal must have been quiet for this many ms: without a report, stillness is the evidence. */
  readonly quietMs: Millis
  /** At work by a sign that may always be on the screen: not believed once nothing has moved for this many ms. Null: always believed. */
  readonly motionlessMs: Millis | null
  /** Time alone will change this report then; null when only an event can. */
  readonly until: Millis | null
  readonly confidence: 'certain' | 'high' | 'medium'
  readonly why: string
}
