/** Files that programs have written where anybody could have put something else: opened only where that is an ordinary file. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

export interface PlainFile {
  readonly handle: FileHandle
  readonly size: number
  readonly modifiedAt: number
  /** Another one has the path when this is another. */
  readonly identity: string
}

/** Neither follows a link nor waits for a pipe; null for what is no ordinary file, or cannot be read. The handle is to be closed. */
export async function openPlain(path: string): Promise<PlainFile | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  // Not there, not readable, a link or a socket: in each case there is nothing to read.
  if (handle === null) return null
  try {
    const { dev, ino, size, mtimeMs, isFile } = await statOf(handle)
    if (isFile) return { handle, size, modifiedAt: mtimeMs, identity: `${dev}:${ino}` }
  } catch {
    // It cannot be looked at, so it is not read either.
  }
  await handle.close()
  return null
}

async function statOf(handle: FileHandle) {
  const stat = await handle.stat()
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile() }
}

/** The bytes from there on, as many as there are. */
export async function readAt({ handle }: Pick<PlainFile, 'handle'>, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
