/** A conversation in a database. Each read takes the newest messages, back to those that were complete at the read before. */

import { type DatabaseShape, messagesReadMax, messagesSearchedMax, type Usage } from '@agentpty/protocol/agents'
import { type JsonObject, parseObject } from '@agentpty/protocol/wire'
import type { Fences } from '../fences.ts'
import type { DatabaseFile } from './database/database-file.ts'
import type { Pages } from './database/pages.ts'
import { exactAnswer, readRecord, type Said } from './read-record.ts'
import { type Message, messageIn, type Transcript } from './transcript.ts'
import { type OwnTime, UsageSum } from './usage-sum.ts'

/** The newest messages may still change: a program keeps writing to its current message and to the one before. */
const changingMessages = 4

export class DatabaseTranscript implements Transcript {
  readonly #database: DatabaseFile
  readonly #shape: DatabaseShape
  readonly #id: string
  readonly #time: OwnTime
  readonly #sum: UsageSum
  #state: string | null = null
  /** Those before are done. */
  #doneAt = Number.NEGATIVE_INFINITY

  constructor(
    database: DatabaseFile,
    shape: DatabaseShape,
    { id, time }: { readonly id: string; readonly time: OwnTime },
  ) {
    this.#database = database
    this.#shape = shape
    this.#id = id
    this.#time = time
    this.#sum = new UsageSum(time)
  }

  get usage(): Usage | null {
    return this.#sum.usage
  }

  async look(): Promise<boolean> {
    const state = await this.#database.state()
    if (state === null || state === this.#state) return state !== null
    const newest = await this.#database.read((pages) => this.#newest(pages))
    if (newest === null) return true
    this.#state = state
    this.#doneAt = newest.slice(0, changingMessages).at(-1)?.at ?? this.#doneAt
    for (const said of newest.toReversed()) this.#sum.add(said)
    return true
  }

  answer(fences: Fences): Promise<string | null> {
    return this.#database.read(async (pages) => {
      for await (const record of messagesFromEnd(pages, this.#shape, this.#id)) {
        const parts = await partsOf(pages, this.#shape, record)
        const texts = readRecord({ ...record, parts }, this.#shape).flatMap((said) => said.texts)
        const found = exactAnswer(texts.join('\n'), fences)
        if (found !== null) return found
      }
      return null
    })
  }

  lastMessage(since: number): Promise<Message | null> {
    return this.#database.read(async (pages) => {
      for await (const record of messagesFromEnd(pages, this.#shape, this.#id)) {
        const parts = await partsOf(pages, this.#shape, record)
        const [said] = readRecord({ ...record, parts }, this.#shape)
        if (said?.at != null && said.at < since) return null
        const message = messageIn(said, since)
        if (message !== null) return message
      }
      return null
    })
  }

  /** The last first. */
  async #newest(pages: Pages): Promise<readonly Said[]> {
    const found: Said[] = []
    for await (const record of messagesFromEnd(pages, this.#shape, this.#id, messagesReadMax)) {
      const [said] = readRecord(record, this.#shape)
      const at = said?.at ?? null
      if (said === undefined || at === null) continue
      if (at < this.#doneAt || at < this.#time.since) break
      found.push(said)
    }
    return found
  }
}

export async function isSaidIn(
  pages: Pages,
  shape: DatabaseShape,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<boolean> {
  for await (const record of messagesFromEnd(pages, shape, id))
    if (JSON.stringify(await partsOf(pages, shape, record)).includes(text)) return true
  return false
}

/** Null for what is not by the program that we know. */
const parseColumn = (data: unknown) => (typeof data === 'string' ? parseObject(data) : null)

async function* messagesFromEnd(pages: Pages, { messages }: DatabaseShape, id: string, max = messagesSearchedMax) {
  let left = max
  for await (const { values } of pages.rowsByIndex(messages.table, messages.index, id)) {
    left -= 1
    if (left < 0) return
    const record = parseColumn(values[messages.data])
    if (record !== null) yield { ...record, id: values[messages.id] }
  }
}

async function partsOf(pages: Pages, { parts }: DatabaseShape, { id }: JsonObject): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  if (typeof id !== 'string') return found
  for await (const { values } of pages.rowsByIndex(parts.table, parts.index, id)) {
    const part = parseColumn(values[parts.data])
    if (part !== null) found.push(part)
  }
  return found.toReversed()
}
