/** The conversations begun in an agent's folder since its start, for programs that choose the id. Its own one contains its task. */

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import {
  conversationsSearchedMax,
  type DatabaseShape,
  type LinesShape,
  type TranscriptShape,
  transcriptSearchBytesMax,
} from '@agentpty/protocol/agents'
import { DatabaseFile } from './database/database-file.ts'
import type { Pages } from './database/pages.ts'
import { isSaidIn } from './database-transcript.ts'
import { findFiles } from './files-transcript.ts'
import { openPlain, readAt } from './transcript.ts'

export interface Begun {
  /** In which its program keeps its transcripts. */
  readonly folder: string
  /** In which the agent was started, and when, in ms since 1970. */
  readonly cwd: string
  readonly startedAt: number
  /** In the fences of its task; null without one. */
  readonly nonce: string | null
}

export interface BegunConversation {
  readonly id: string
  readonly hasTask: boolean
}

/** A transcript says at its beginning in which folder it was begun. */
const headBytes = 64 * 1024
/** A file may be a little older than the clock says. */
const clockMs = 2_000

/** In no order. Empty where its transcripts do not name conversations. */
export async function begunConversations(shape: TranscriptShape, begun: Begun): Promise<readonly BegunConversation[]> {
  const cwds = [...new Set([begun.cwd, await realpath(begun.cwd).catch(() => begun.cwd)])]
  return shape.kind === 'lines' ? inFiles(shape, begun, cwds) : inDatabase(shape, begun, cwds)
}

async function inFiles({ file: own }: LinesShape, { folder, startedAt, nonce }: Begun, cwds: readonly string[]) {
  const found: BegunConversation[] = []
  if (!own.includes('{id}')) return found
  let left = conversationsSearchedMax
  for await (const { path, id } of findFiles(folder, own, null)) {
    left -= 1
    if (left < 0) break
    const file = id === null ? null : await openPlain(path)
    if (file === null || id === null) continue
    try {
      const { birthtimeMs } = await file.handle.stat()
      // Not every file system knows when a file was made.
      if (Math.min(file.modifiedAt, birthtimeMs || file.modifiedAt) < startedAt - clockMs) continue
      const head = await readAt(file, 0, transcriptSearchBytesMax)
      const start = head.subarray(0, headBytes).toString('utf8')
      if (!cwds.some((cwd) => start.includes(`"cwd":${JSON.stringify(cwd)}`))) continue
      const tailFrom = Math.max(head.length, file.size - transcriptSearchBytesMax)
      const tail = await readAt(file, tailFrom, transcriptSearchBytesMax)
      found.push({ id, hasTask: nonce !== null && [head, tail].some((bytes) => bytes.includes(taskText(nonce))) })
    } finally {
      await file.handle.close()
    }
  }
  return found
}

async function inDatabase(shape: DatabaseShape, { folder, startedAt, nonce }: Begun, cwds: readonly string[]) {
  const { table, id, cwd, begunAt, parent } = shape.conversations
  const search = async (pages: Pages) => {
    const found: BegunConversation[] = []
    let left = conversationsSearchedMax
    for await (const { values } of pages.rowsFromEnd(table)) {
      left -= 1
      if (left < 0) break
      const named = values[id]
      const at = values[begunAt]
      const isOwn = typeof named === 'string' && cwds.some((one) => one === values[cwd]) && values[parent] === null
      if (!isOwn || typeof at !== 'number' || at < startedAt - clockMs) continue
      const hasTask = nonce !== null && (await isSaidIn(pages, shape, { id: named, text: taskText(nonce) }))
      found.push({ id: named, hasTask })
    }
    return found
  }
  return (await new DatabaseFile(join(folder, shape.file)).read(search)) ?? []
}

const taskText = (nonce: string) => `RESPONSE-${nonce}`
