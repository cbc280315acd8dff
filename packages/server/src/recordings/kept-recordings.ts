/** The folder of recordings, for those who ask the daemon: nothing else waits while many files are looked at. */

import { constants, lstatSync, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { ScreenOfCast } from '@agentpty/engine/picture'
import { limitReached, machineUnfit, systemReason, type TermError } from '@agentpty/protocol'
import {
  type CastSource,
  castBytesMax,
  type KeptRecordings,
  keptFilesInOneGo,
  type RecordingRow,
  type RecordingsRoom,
  readCast,
} from '@agentpty/protocol/recording'
import { isAbsent, safeName } from '../files/index.ts'
import { type ExportParts, exportCast } from './exports/export-cast.ts'
import {
  byStart,
  listRecordings,
  openRecording,
  pathOfRecording,
  recordingIds,
  recordingRow,
  removeRecording,
} from './recording-files.ts'

export function keptRecordings(folder: string): KeptRecordings {
  return {
    newest: (max) => newestIn(folder, max),
    find: (id) => (isIn(folder, id) ? found(folder, () => recordingRow(folder, id)) : null),
    read: async (id, part) => (isIn(folder, id) ? await readPart(pathOfRecording(folder, id), part) : null),
  }
}

/** Returns whether the folder lists this recording. A name that leads elsewhere is no recording. */
function isIn(folder: string, id: string): boolean {
  return isOwnName(id) && found(folder, () => recordingIds(folder).includes(id)) === true
}

/** Accepts the names that agentpty gives. Other files are foreign. */
const isOwnName = (id: string) => safeName(id) === id

async function newestIn(folder: string, max: number): ReturnType<KeptRecordings['newest']> {
  const written: { readonly id: string; readonly at: number }[] = []
  for (const [index, id] of (found(folder, () => recordingIds(folder)) ?? []).entries()) {
    if (index % keptFilesInOneGo === 0) await nextTurn()
    if (isOwnName(id)) written.push({ id, at: writtenAt(folder, id) })
  }
  // The files themselves show which is the newest; their write times select which to read.
  const candidates = written.toSorted((a, b) => b.at - a.at).slice(0, max)
  const rows: RecordingRow[] = []
  for (const [index, { id }] of candidates.entries()) {
    if (index % keptFilesInOneGo === 0) await nextTurn()
    const row = found(folder, () => recordingRow(folder, id))
    // A file that does not say when it began was not written by us.
    if (row !== null && Number.isFinite(row.startedAt)) rows.push(row)
  }
  return { rows: rows.toSorted((a, b) => byStart(b, a)), older: written.length - candidates.length }
}

function writtenAt(folder: string, id: string): number {
  return found(folder, () => lstatSync(pathOfRecording(folder, id)).mtimeMs) ?? 0
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function readPart(path: string, { from, maxBytes }: { readonly from: number; readonly maxBytes: number }) {
  const end = found(path, () => openRecording(path)?.bytes ?? null)
  if (end === null) return null
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, end - from)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return { bytes: bytes.subarray(0, bytesRead), end }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return null
    throw unreadable(path, error)
  }
}

/** Null for what was removed meanwhile. */
function found<Found>(path: string, look: () => Found): Found | null {
  try {
    return look()
  } catch (error) {
    if (isAbsent(error)) return null
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): TermError {
  return machineUnfit(`Recordings cannot be read: ${systemReason(error)}.`, `Make ${path} yours, or remove it.`)
}

/** Recordings for the command line: listed, removed, opened, and shown on a screen. */
export function recordingsRoom(folder: string, parts: ExportParts): RecordingsRoom {
  return {
    folder,
    list: () => listRecordings(folder),
    remove: ({ path }) => removeRecording(path),
    open: (source) =>
      readCast('text' in source ? source.text : textOf(source), 'text' in source ? 'The recording' : source.path),
    screen: (cast) => new ScreenOfCast(cast),
    export: (cast, options) => exportCast(cast, options, parts),
  }
}

function textOf({ path }: Extract<CastSource, { readonly path: string }>): string {
  try {
    const { size } = statSync(path)
    if (size <= castBytesMax) return readFileSync(path, 'utf8')
  } catch (error) {
    throw machineUnfit(`${path} cannot be read: ${systemReason(error)}.`, 'See what there is: agentpty recordings')
  }
  throw limitReached(`${path} is larger than ${castBytesMax} bytes.`, 'Cut it into parts.')
}
