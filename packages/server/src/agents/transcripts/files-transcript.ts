/** All that is written of one conversation: its own transcript, in one file or in several, and those of the helpers that its program starts for it. */

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type LinesShape,
  transcriptFilesMax,
  transcriptNamesMax,
  transcriptSearchBytesMax,
  type Usage,
  usageTogether,
} from '@agentpty/protocol/agents'
import type { Fences } from '../fences.ts'
import { LinesTranscript } from './lines-transcript.ts'
import { type Message, openPlain, readAt, type Transcript } from './transcript.ts'
import type { OwnTime } from './usage-sum.ts'

interface Of {
  readonly folder: string
  readonly id: string
  readonly time: OwnTime
}

export class FilesTranscript implements Transcript {
  readonly #shape: LinesShape
  readonly #of: Of
  /** By their paths. */
  readonly #own = new Map<string, LinesTranscript>()
  /** Also when its files have gone. */
  #ownUsage: Usage | null = null
  readonly #helpers = new Map<string, LinesTranscript>()

  constructor(shape: LinesShape, of: Of) {
    this.#shape = shape
    this.#of = of
  }

  get usage(): Usage | null {
    return usageTogether([this.#ownUsage, ...usagesOf(this.#helpers)])
  }

  async look(): Promise<boolean> {
    if (this.#own.size === 0 || this.#mayBeMore) await this.#find()
    for (const [path, transcript] of this.#own) if (!(await transcript.look())) this.#own.delete(path)
    if (this.#own.size === 0) return false
    this.#ownUsage = usageTogether(usagesOf(this.#own))
    const { helpers } = this.#shape
    if (helpers !== null) for (const path of this.#own.keys()) await this.#lookAtHelpers(dirname(path), helpers)
    return true
  }

  async answer(fences: Fences): Promise<string | null> {
    for (const transcript of this.#own.values()) {
      const answer = await transcript.answer(fences)
      if (answer !== null) return answer
    }
    return null
  }

  async lastMessage(since: number): Promise<Message | null> {
    let last: Message | null = null
    for (const transcript of this.#own.values()) {
      const message = await transcript.lastMessage(since)
      if (message !== null && (last === null || message.at >= last.at)) last = message
    }
    return last
  }

  /** A program that continues a conversation may first create a file of that minute and then write to the earlier file. */
  get #mayBeMore(): boolean {
    return isShort(this.#shape) && this.#own.size < transcriptFilesMax
  }

  async #lookAtHelpers(folder: string, shape: string): Promise<void> {
    const { id, time } = this.#of
    for await (const { path } of findFiles(folder, shape, id)) {
      if (this.#helpers.size >= transcriptFilesMax) break
      if (!this.#helpers.has(path)) this.#helpers.set(path, new LinesTranscript(path, this.#shape, time))
    }
    for (const helper of this.#helpers.values()) await helper.look()
  }

  async #find(): Promise<void> {
    const { folder, id, time } = this.#of
    for await (const { path } of findFiles(folder, this.#shape.file, id)) {
      if (this.#own.has(path) || (isShort(this.#shape) && !(await isOf(path, id)))) continue
      this.#own.set(path, new LinesTranscript(path, this.#shape, time))
      if (!this.#mayBeMore) return
    }
  }
}

const usagesOf = (transcripts: ReadonlyMap<string, Transcript>) => [...transcripts.values()].map(({ usage }) => usage)
const isShort = ({ file }: LinesShape) => file.includes('{short}')

/** Checks a file whose name has only the first characters of the id. The full id is at the beginning of the file. */
async function isOf(path: string, id: string): Promise<boolean> {
  const file = await openPlain(path)
  if (file === null) return false
  try {
    return (await readAt(file, 0, transcriptSearchBytesMax)).includes(id)
  } finally {
    await file.handle.close()
  }
}

// The files whose paths have a shape: `*` stands for any name, `**` for any folders. No links are followed below the folder.

interface FoundFile {
  readonly path: string
  /** The value for `{id}` or `{short}` in its path; null when the shape has neither. */
  readonly id: string | null
}

/** `{id}` as programs write it. */
const anyId = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const shortCharacters = 8

/** By name, the last first: dates are in many. `id`: only those of this conversation. */
export async function* findFiles(folder: string, shape: string, id: string | null): AsyncGenerator<FoundFile> {
  yield* below({ folder, parts: shape.split('/'), id, found: null }, { names: 0 })
}

interface Looking {
  readonly folder: string
  readonly parts: readonly string[]
  readonly id: string | null
  readonly found: string | null
}

async function* below(looking: Looking, seen: { names: number }): AsyncGenerator<FoundFile> {
  const { folder, parts, id, found } = looking
  const [part = '', ...rest] = parts
  const only = nameOf(part, id)
  if (only !== null && rest.length > 0) {
    yield* below({ ...looking, folder: join(folder, only), parts: rest }, seen)
    return
  }
  if (part === '**') yield* below({ ...looking, parts: rest }, seen)
  const pattern = part === '**' ? /^/ : patternOf(part, id)
  for (const entry of await entriesOf(folder)) {
    seen.names += 1
    if (seen.names > transcriptNamesMax) return
    const match = pattern.exec(entry.name)
    if (match === null) continue
    const path = join(folder, entry.name)
    const next = match[1] ?? found
    if (part === '**' ? entry.isDirectory() : rest.length > 0 && entry.isDirectory())
      yield* below({ id, folder: path, parts: part === '**' ? parts : rest, found: next }, seen)
    else if (part !== '**' && rest.length === 0 && entry.isFile()) yield { path, id: next }
  }
}

/** Null where the part has several names. */
function nameOf(part: string, id: string | null): string | null {
  if (part.includes('*') || (id === null && part.includes('{'))) return null
  return part.replace('{id}', id ?? '').replace('{short}', id?.slice(0, shortCharacters) ?? '')
}

function patternOf(part: string, id: string | null): RegExp {
  const escaped = part.replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^/]*?')
  const whole = id ?? anyId
  const short = id?.slice(0, shortCharacters) ?? `[0-9a-f]{${shortCharacters}}`
  return new RegExp(
    `^${escaped.replace('{id}', `(${escapedId(whole, id)})`).replace('{short}', `(${escapedId(short, id)})`)}$`,
  )
}

/** Escapes the id, which may be any word of a caller. */
const escapedId = (text: string, id: string | null) =>
  id === null ? text : text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The last by name first; none where there is no such folder. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? 1 : -1))
  } catch {
    // The program has written none yet.
    return []
  }
}
