/** Reads the audit journal from its end backwards, a small piece at a time, so that nothing else in the process waits for it. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { auditLineBytesMax } from '@agentpty/protocol/audit'
import { timelinePieceBytes } from '@agentpty/protocol/timeline'
import { auditFiles, firstIn } from './audit-files.ts'

export interface LinesPiece {
  /** The whole lines in it that hold the text, the newest first. */
  readonly found: readonly string[]
  /** The oldest whole line in it, whatever it holds; null where it has none. */
  readonly oldest: string | null
  readonly bytes: number
}

/** `before`: of the file that holds the record of this number, and of those before it; null: of all. What is written meanwhile is not read. */
export async function* linesBack(
  folder: string,
  { text, before }: { readonly text: string; readonly before: number | null },
): AsyncGenerator<LinesPiece, void> {
  const files = auditFiles(folder).filter((file) => before === null || firstIn(file) < before)
  for (const file of files.toReversed()) yield* linesOfFileBack(file, Buffer.from(text))
}

async function* linesOfFileBack(path: string, text: Buffer): AsyncGenerator<LinesPiece, void> {
  const file = await opened(path)
  if (file === null) return
  try {
    let end = (await file.stat()).size
    /** The end of a line that begins further ahead. */
    let rest: Buffer = Buffer.alloc(0)
    while (end > 0) {
      const from = Math.max(0, end - timelinePieceBytes)
      const bytes = Buffer.concat([await bytesOf(file, from, end), rest])
      const first = from === 0 ? 0 : bytes.indexOf(lineFeed) + 1
      // No record is as long as that: what is left of such a line is none, and is passed over.
      const isWithin = first > 0 || from === 0
      rest = isWithin ? bytes.subarray(0, first) : bytes.length > auditLineBytesMax ? Buffer.alloc(0) : bytes
      yield { ...(isWithin ? linesWith(bytes.subarray(first), text) : none), bytes: end - from }
      end = from
    }
  } finally {
    await file.close()
  }
}

const lineFeed = 10
const none = { found: [], oldest: null } as const

/** Null when it has made room meanwhile. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function bytesOf(file: FileHandle, from: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - from)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}

function linesWith(bytes: Buffer, text: Buffer): Pick<LinesPiece, 'found' | 'oldest'> {
  const found: string[] = []
  const lineAt = (from: number) => {
    const end = bytes.indexOf(lineFeed, from)
    return bytes.toString('utf8', from, end < 0 ? bytes.length : end)
  }
  for (let at = bytes.lastIndexOf(text); at >= 0; ) {
    const from = bytes.lastIndexOf(lineFeed, at) + 1
    found.push(lineAt(from))
    at = from === 0 ? -1 : bytes.lastIndexOf(text, from - 1)
  }
  return { found, oldest: bytes.length === 0 ? null : lineAt(0) }
}
