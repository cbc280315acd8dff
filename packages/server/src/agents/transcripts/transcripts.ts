/**
 * The transcripts of all agents, by terminal. Each read takes the new part; its result stays known until the next one,
 * even when the transcript is gone.
 *
 * No caller waits for a read longer than `lookMs`. The read then continues, and the next caller gets its result. A
 * failed read never fails a call.
 */

import { join } from 'node:path'
import { BoundedMap, type Clock, isTermError, type Millis, resultBefore } from '@agentpty/protocol'
import {
  type Adapter,
  agentsKeptMax,
  type DatabaseShape,
  type KeptAgent,
  type TranscriptShape,
  transcriptSearchMs,
  transcriptsMax,
  type Usage,
} from '@agentpty/protocol/agents'
import { fencesOf } from '../fences.ts'
import type { KeptByTerminal } from '../kept-nodes.ts'
import { begunConversations } from './begun-conversations.ts'
import { DatabaseFile } from './database/database-file.ts'
import { DatabaseTranscript } from './database-transcript.ts'
import { FilesTranscript } from './files-transcript.ts'
import type { Transcript } from './transcript.ts'
import type { OwnTime } from './usage-sum.ts'

export interface TranscriptsOptions {
  readonly clock: Clock
  readonly kept: KeptByTerminal
  /** The adapters by the current settings. */
  readonly adapters: () => readonly Adapter[]
  readonly lookMs: Millis
}

interface Known {
  /** Another conversation, or another time, is another transcript. */
  readonly key: string
  readonly transcript: Transcript
}

/** `when-due`: not soon after it was found to have none. */
type When = 'now' | 'when-due'

interface Look {
  readonly when?: When
  /** Terminals that are not there any more. */
  readonly gone?: ReadonlySet<string>
}

interface LookBy {
  readonly when: When
  readonly shapeOf: (agent: KeptAgent | null) => TranscriptShape | null
}

interface ConversationPlace {
  readonly shape: TranscriptShape
  readonly folder: string
  readonly id: string
}

const noTerminals: ReadonlySet<string> = new Set()
/** Programs write what they have used when they are ended, too. */
const endingMs = 10_000

/** Whose transcripts are read at the same time. */
const looksAtOnce = 8
const databasesMax = 20

export class Transcripts {
  readonly #options: TranscriptsOptions
  readonly #known = new BoundedMap<string, Known>(transcriptsMax)
  readonly #databases = new BoundedMap<string, DatabaseFile>(databasesMax)
  readonly #looking = new Map<string, { readonly running: Promise<void>; readonly next: Promise<void> | null }>()
  /** The usage of agents that are gone, and the time since when they are gone. */
  readonly #last = new BoundedMap<string, Usage | null>(agentsKeptMax)
  readonly #goneAt = new BoundedMap<string, Millis>(agentsKeptMax)
  /** When a conversation was searched for, or a transcript, that was not there. */
  readonly #missedAt = new BoundedMap<string, Millis>(transcriptsMax)

  constructor(options: TranscriptsOptions) {
    this.#options = options
  }

  /** Returns the usage by the last read; null when its program has reported none so far. */
  usageOf(terminalId: string): Usage | null {
    const last = this.#last.get(terminalId)
    return last === undefined ? (this.#known.get(terminalId)?.transcript.usage ?? null) : last
  }

  /** Looks at all of them. Those whose terminals have gone are not looked at any more a while later. */
  async look(terminalIds: readonly string[], { when = 'when-due', gone = noTerminals }: Look = {}): Promise<void> {
    for (const terminalId of terminalIds) if (gone.has(terminalId)) this.#conclude(terminalId)
    const left = terminalIds.filter((terminalId) => this.#last.get(terminalId) === undefined)
    const shapeOf = this.#shapes()
    const lookOn = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await this.#lookOnce(next, { when, shapeOf })
    }
    await this.#inTime(Promise.all(Array.from({ length: Math.min(looksAtOnce, left.length) }, lookOn)))
  }

  /** Returns the exact answer to its task, if the transcript has it already. */
  async answer(terminalId: string): Promise<string | null> {
    const nonce = this.#options.kept.taskOf(terminalId)?.nonce ?? null
    return nonce === null ? null : this.#search(terminalId, (transcript) => transcript.answer(fencesOf(nonce)))
  }

  /** The last message since its task was given, or since it was started where it has no task. */
  async lastMessage(terminalId: string): Promise<string | null> {
    const { kept } = this.#options
    const since = kept.taskOf(terminalId)?.givenAt ?? kept.agentOf(terminalId)?.start?.startedAt
    if (since === undefined) return null
    return this.#search(terminalId, async (transcript) => (await transcript.lastMessage(since))?.text ?? null)
  }

  async #search(terminalId: string, find: (transcript: Transcript) => Promise<string | null>): Promise<string | null> {
    const search = async () => {
      await this.#lookOnce(terminalId, { when: 'now', shapeOf: this.#shapes() })
      const transcript = this.#known.get(terminalId)?.transcript
      const found = transcript === undefined ? null : await find(transcript)
      return found === null ? null : withoutControls(found)
    }
    return (await this.#inTime(search().catch(ignore))) ?? null
  }

  /** Null when it takes longer. */
  async #inTime<Result>(work: Promise<Result>): Promise<Result | null> {
    const { clock, lookMs } = this.#options
    if (lookMs === Number.POSITIVE_INFINITY) return work
    return resultBefore(work, { clock, latest: clock.now() + lookMs })
  }

  /** After the one that runs: that may have begun before what its caller asks for was written. */
  #lookOnce(terminalId: string, by: LookBy): Promise<void> {
    const { running, next } = this.#looking.get(terminalId) ?? { running: null, next: null }
    // One that has not begun yet does for everybody.
    if (next !== null) return next
    const begin = () => {
      const looking: Promise<void> = this.#lookNow(terminalId, by)
        .catch(ignore)
        .finally(() => {
          const now = this.#looking.get(terminalId)
          if (now?.running === looking && now.next === null) this.#looking.delete(terminalId)
        })
      this.#looking.set(terminalId, { running: looking, next: null })
      return looking
    }
    if (running === null) return begin()
    const following = running.then(begin)
    this.#looking.set(terminalId, { running, next: following })
    return following
  }

  async #lookNow(terminalId: string, { when, shapeOf }: LookBy): Promise<void> {
    const { clock, kept } = this.#options
    const agent = kept.agentOf(terminalId)
    const shape = shapeOf(agent)
    if (agent?.start === undefined || shape === null) return
    const folder = agent.start.transcripts ?? null
    const missedAt = this.#missedAt.get(terminalId)
    const isDue = when === 'now' || missedAt === undefined || clock.now() >= missedAt + transcriptSearchMs
    if (folder === null || !isDue) return
    const id = agent.conversation ?? (await this.#identify(terminalId, shape, folder))
    const transcript = id === null ? null : this.#follow(terminalId, { shape, folder, id })
    const isThere = transcript !== null && (await transcript.look())
    if (isThere) this.#missedAt.delete(terminalId)
    else this.#missedAt.set(terminalId, clock.now())
  }

  /** Makes the usage of an agent final, after its program had time to write the last of it. */
  #conclude(terminalId: string): void {
    const { clock } = this.#options
    const goneAt = this.#goneAt.get(terminalId)
    if (goneAt === undefined) this.#goneAt.set(terminalId, clock.now())
    else if (clock.now() >= goneAt + endingMs && this.#last.get(terminalId) === undefined) {
      this.#last.set(terminalId, this.usageOf(terminalId))
      this.#known.delete(terminalId)
    }
  }

  /** Returns the shapes by the current settings. While these are wrong, nothing is known; starting an agent reports the error. */
  #shapes(): LookBy['shapeOf'] {
    const { adapters } = this.#options
    let known: readonly Adapter[] = []
    try {
      known = adapters()
    } catch (error) {
      if (!isTermError(error)) throw error
    }
    return (agent) => known.find(({ name }) => name === agent?.type)?.transcripts ?? null
  }

  /** Only where its task shows that it is its own: others may begin in the same folder at the same time. */
  async #identify(terminalId: string, shape: TranscriptShape, folder: string): Promise<string | null> {
    const { kept } = this.#options
    const agent = kept.agentOf(terminalId)
    const nonce = kept.taskOf(terminalId)?.nonce ?? null
    if (agent?.start === undefined || nonce === null) return null
    const found = await begunConversations(shape, { folder, nonce, ...agent.start })
    const [own] = found.filter(({ id, hasTask }) => hasTask && !kept.isOfAnother(id, terminalId))
    if (own !== undefined) kept.foundIn(terminalId, own.id)
    return own?.id ?? null
  }

  #follow(terminalId: string, { shape, folder, id }: ConversationPlace): Transcript {
    const time = this.#ownTime(terminalId, id)
    const key = JSON.stringify([folder, id, time])
    const known = this.#known.get(terminalId)
    const transcript = known?.key === key ? known.transcript : this.#open({ shape, folder, id, time })
    this.#known.set(terminalId, { key, transcript })
    return transcript
  }

  #open({ shape, folder, id, time }: ConversationPlace & { readonly time: OwnTime }): Transcript {
    if (shape.kind === 'lines') return new FilesTranscript(shape, { folder, id, time })
    return new DatabaseTranscript(this.#databaseOf(folder, shape), shape, { id, time })
  }

  #databaseOf(folder: string, { file }: DatabaseShape): DatabaseFile {
    const path = join(folder, file)
    const database = this.#databases.get(path) ?? new DatabaseFile(path)
    this.#databases.set(path, database)
    return database
  }

  /** Returns the time from the agent's start until another agent continues its conversation. */
  #ownTime(terminalId: string, id: string): OwnTime {
    const { kept } = this.#options
    const since = kept.agentOf(terminalId)?.start?.startedAt ?? 0
    const others = kept.all().flatMap(([, { conversation, start }]) => (conversation === id && start ? [start] : []))
    const later = others.map(({ startedAt }) => startedAt).filter((startedAt) => startedAt > since)
    return { since, until: Math.min(Number.POSITIVE_INFINITY, ...later) }
  }
}

/** A file that changes in the midst of a look, a folder that may not be read, a full disk: the next look shows what there is. */
const ignore = () => undefined

/** It goes to the terminals of persons: to the letter, but no more than letters, tabs and the ends of lines. */
function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}
