/** Recording files: batches of whole lines, each ended by a comment with its position. After a crash the rest is cut off first. */

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@agentpty/engine/session'
import { makeFolder, type Offset } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { RecordingRow } from '@agentpty/protocol/recording'
import { isObject } from '@agentpty/protocol/wire'
import type { EngineContext } from '../call/index.ts'
import { namesIn, safeName } from '../files/index.ts'

/** How far a recording has come. */
export interface RecordedTo {
  readonly offset: Offset
  /** Wall time of its last event. */
  readonly at: number
}

export interface RecordingFile {
  readonly bytes: number
  /** Null where not even its header is whole. */
  readonly to: RecordedTo | null
  readonly isEnded: boolean
}

const ending = '.cast'
const comment = '# agentpty '
/** Enough for the longest last batch's own comment. */
const tailBytes = 256
const headBytes = 64 * 1_024

export const pathOfRecording = (folder: string, id: string): string => join(folder, `${safeName(id)}${ending}`)

export function recordedTo({ offset, at }: RecordedTo, isEnded: boolean): string {
  return `${comment}${offset} ${at}${isEnded ? ' end' : ''}\n`
}

/** Null when it is not there. Errors: those of the file system. */
export function openRecording(path: string): RecordingFile | null {
  if (!existsSync(path)) return null
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = fstatSync(fd)
    for (let end = size; end > 0; ) {
      // Backwards, a block at a time that begins where the one behind it may have begun a comment.
      const from = Math.max(0, end - headBytes)
      const text = textAt(fd, from, end)
      const found = [...text.matchAll(lastComment)].at(-1)
      if (found !== undefined) {
        const [whole, offset, at, mark] = found
        const bytes = from + Buffer.byteLength(text.slice(0, (found.index ?? 0) + whole.length), 'latin1')
        return { bytes, to: { offset: Number(offset), at: Number(at) }, isEnded: mark !== undefined }
      }
      if (from === 0) break
      end = from + tailBytes
    }
    return { bytes: 0, to: null, isEnded: false }
  } finally {
    closeSync(fd)
  }
}

const lastComment = /(?<=\n)# agentpty (\d{1,16}) (\d{1,16})( end)?\n/g

/** One character a byte. */
function textAt(fd: number, from: number, end: number): string {
  const bytes = Buffer.alloc(Math.max(0, end - from))
  return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, from))
}

export type Appended = 'appended' | 'gone'

/** Appends lines at this position and cuts off the rest; `gone`: it was removed. Errors: of the file system; nothing is changed then. */
export async function appendTo(path: string, at: number, text: string): Promise<Appended> {
  const isNew = at === 0
  if (isNew) makeFolder(join(path, '..'))
  const how = constants.O_WRONLY | constants.O_NOFOLLOW | (isNew ? constants.O_CREAT : 0)
  const file = await open(path, how, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (!isNew && error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return 'gone'
  try {
    await file.truncate(at)
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
    return 'appended'
  } catch (error) {
    // Half a batch stays where even this fails, and is cut off before the next one.
    await file.truncate(at).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

/** The oldest first. What is no recording is passed over. */
export function listRecordings(folder: string): readonly RecordingRow[] {
  return recordingIds(folder)
    .flatMap((id) => recordingRow(folder, id) ?? [])
    .toSorted(byStart)
}

/** The files know their second of start only: of one second the lower number of its terminal comes first. */
export const byStart = (a: RecordingRow, b: RecordingRow) =>
  a.startedAt - b.startedAt || a.id.localeCompare(b.id, 'en', { numeric: true })

/** Returns the ids of the files that may be recordings, in no order. */
export function recordingIds(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
}

/** Null for what is no recording. `id`: one of {@link recordingIds}. Errors: those of the file system. */
export function recordingRow(folder: string, id: string): RecordingRow | null {
  const path = join(folder, `${id}${ending}`)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) return null
  const file = openRecording(path)
  const head = file?.to === null || file === null ? null : headOf(path)
  if (file === null || head === null) return null
  return {
    id,
    path,
    bytes: stat.size,
    isEnded: file.isEnded,
    seconds: Math.max(0, Math.round((file.to?.at ?? 0) - head.startedAt) / 1_000),
    exitCode: file.isEnded ? exitCodeIn(path, file.bytes) : null,
    ...head,
  }
}

type Head = Pick<RecordingRow, 'startedAt' | 'title' | 'command' | 'cols' | 'rows'>

/** Null where it is none of ours. */
function headOf(path: string): Head | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const [line = ''] = Buffer.from(textAt(fd, 0, headBytes), 'latin1')
      .toString('utf8')
      .split('\n', 1)
    const header: unknown = JSON.parse(line)
    if (!isObject(header) || !isObject(header['term'])) return null
    const { timestamp, title, command, term } = header
    const text = (value: unknown) => (typeof value === 'string' ? value : null)
    return {
      startedAt: Number(timestamp) * 1_000,
      title: text(title),
      command: text(command),
      cols: Number((term as { cols?: unknown }).cols),
      rows: Number((term as { rows?: unknown }).rows),
    }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Returns the exit code, which is before the last comment. */
function exitCodeIn(path: string, end: number): number | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const found = /\[[\d.]+, "x", "(\d{1,3})"\]\n# agentpty [^\n]*\n$/.exec(
      textAt(fd, Math.max(0, end - tailBytes), end),
    )
    return found === null ? null : Number(found[1])
  } finally {
    closeSync(fd)
  }
}

export function removeRecording(path: string): void {
  rmSync(path, { force: true })
}

/** Whose recordings a caller sees: all without a scope, and else those of its terminals that are still there, because a file does not say whose it was. */
export function isSeenRecording(engine: Pick<EngineContext, 'host'>, row: RecordingRow, context: CallContext): boolean {
  return context.scope === undefined || terminalOf(engine, row) !== null
}

/** Returns the terminal of a recording that the caller sees; null for one that is gone. */
export function terminalOf({ host }: Pick<EngineContext, 'host'>, { id, startedAt }: RecordingRow): Session | null {
  // Files have whole seconds. Where numbers began anew, an old file has the id of another terminal.
  const isIts = ({ info }: Session) => info.id === id && Math.floor(info.createdAt / 1_000) * 1_000 === startedAt
  return host.sessions.find(isIts) ?? null
}
