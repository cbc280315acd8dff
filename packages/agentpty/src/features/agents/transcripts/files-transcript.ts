/** All that is written of one conversation: its own transcript, and those of the helpers that its program starts for it. */

import { dirname } from 'node:path'
import { transcriptFilesMax, transcriptSearchBytesMax } from '../../../contracts/agents/agent-limits.ts'
import type { LinesShape } from '../../../contracts/agents/transcript-shape.ts'
import { type Usage, usageTogether } from '../../../contracts/agents/usage.ts'
import type { Fences } from '../fences.ts'
import { findFiles } from './find-files.ts'
import { LinesTranscript } from './lines-transcript.ts'
import { openPlain, readAt } from './plain-file.ts'
import type { Transcript } from './transcript.ts'
import type { OwnTime } from './usage-sum.ts'

interface Of {
  readonly folder: string
  readonly id: string
  readonly time: OwnTime
}

export class FilesTranscript implements Transcript {
  readonly #shape: LinesShape
  readonly #of: Of
  #own: { readonly path: string; readonly transcript: LinesTranscript } | null = null
  /** Also when its file has gone. */
  #told: Usage | null = null
  readonly #helpers = new Map<string, LinesTranscript>()

  constructor(shape: LinesShape, of: Of) {
    this.#shape = shape
    this.#of = of
  }

  get usage(): Usage | null {
    return usageTogether([this.#told, ...[...this.#helpers.values()].map(({ usage }) => usage)])
  }

  async look(): Promise<boolean> {
    this.#own ??= await this.#find()
    if (this.#own === null) return false
    const { path, transcript } = this.#own
    const isThere = await transcript.look()
    if (isThere) this.#told = transcript.usage
    else this.#own = null
    if (this.#shape.helpers !== null) await this.#lookAtHelpers(dirname(path), this.#shape.helpers)
    return isThere
  }

  async answer(fences: Fences): Promise<string | null> {
    return (await this.#own?.transcript.answer(fences)) ?? null
  }

  async #lookAtHelpers(folder: string, shape: string): Promise<void> {
    const { id, time } = this.#of
    for await (const { path } of findFiles(folder, shape, id)) {
      if (this.#helpers.size >= transcriptFilesMax) break
      if (!this.#helpers.has(path)) this.#helpers.set(path, new LinesTranscript(path, this.#shape, time))
    }
    for (const helper of this.#helpers.values()) await helper.look()
  }

  async #find() {
    const { folder, id, time } = this.#of
    const { file } = this.#shape
    for await (const { path } of findFiles(folder, file, id))
      if (!file.includes('{short}') || (await isOf(path, id)))
        return { path, transcript: new LinesTranscript(path, this.#shape, time) }
    return null
  }
}

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
