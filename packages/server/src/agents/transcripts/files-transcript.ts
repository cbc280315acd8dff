/** All that is written of one conversation: its own transcript, in one file or in several, and those of the helpers that its program starts for it. */

import { dirname } from 'node:path'
import {
  type LinesShape,
  transcriptFilesMax,
  transcriptSearchBytesMax,
  type Usage,
  usageTogether,
} from '@agentpty/protocol/agents'
import type { Fences } from '../fences.ts'
import { findFiles } from './find-files.ts'
import { LinesTranscript } from './lines-transcript.ts'
import { openPlain, readAt } from './plain-file.ts'
import type { Message, Transcript } from './transcript.ts'
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
  #told: Usage | null = null
  readonly #helpers = new Map<string, LinesTranscript>()

  constructor(shape: LinesShape, of: Of) {
    this.#shape = shape
    this.#of = of
  }

  get usage(): Usage | null {
    return usageTogether([this.#told, ...usagesOf(this.#helpers)])
  }

  async look(): Promise<boolean> {
    if (this.#own.size === 0 || this.#mayBeMore) await this.#find()
    for (const [path, transcript] of this.#own) if (!(await transcript.look())) this.#own.delete(path)
    if (this.#own.size === 0) return false
    this.#told = usageTogether(usagesOf(this.#own))
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

  /** A program that goes on with a conversation may begin a file of that minute for it, and then write into the one of before. */
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

/** A name that has only the first characters of the id: the whole stands at the beginning of the file. */
async function isOf(path: string, id: string): Promise<boolean> {
  const file = await openPlain(path)
  if (file === null) return false
  try {
    return (await readAt(file, 0, transcriptSearchBytesMax)).includes(id)
  } finally {
    await file.handle.close()
  }
}
