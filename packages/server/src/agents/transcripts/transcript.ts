/** The conversation as an agent and its program wrote it down. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { TranscriptShape, Usage } from '@agentpty/protocol/agents'
import type { Fences } from '../fences.ts'
import type { Said } from './read-record.ts'

export interface Message {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

export interface Transcript {
  /** By what was read so far; null where it says nothing of it. */
  readonly usage: Usage | null
  /** Reads what has come. False where it is not there. */
  look(): Promise<boolean>
  /** The last answer between these fences, to the letter; null where it has none. */
  answer(fences: Fences): Promise<string | null>
  /** The last message of the agent since that time, in milliseconds since 1970; null without one. */
  lastMessage(since: number): Promise<Message | null>
}

/** Null for a record without a text or a time, and for one from before. */
export function messageIn(said: Said | undefined, since: number): Message | null {
  if (said === undefined || said.texts.length === 0 || said.at === null || said.at < since) return null
  return { at: said.at, text: said.texts.join('\n') }
}

/** The folder of a program's transcripts, by the variables that it was started with; null where there is no home. */
export function transcriptFolder(
  { folder: { variable, below, otherwise } }: Pick<TranscriptShape, 'folder'>,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { [variable]: named = '', HOME: home = '' } = env
  if (isAbsolute(named)) return join(named, below)
  return isAbsolute(home) ? join(home, otherwise) : null
}

/** Files that programs have written where anybody could have put something else: opened only where that is an ordinary file. */
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
    const stat = await handle.stat()
    const identity = `${stat.dev}:${stat.ino}`
    if (stat.isFile()) return { handle, size: stat.size, modifiedAt: stat.mtimeMs, identity }
  } catch {
    // It cannot be looked at, so it is not read either.
  }
  await handle.close()
  return null
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
