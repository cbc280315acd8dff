/** Files of a folder that another party filled: `..`, absolute paths, links that lead out and anything but plain files are refused. */

import { closeSync, fstatSync } from 'node:fs'
import { join } from 'node:path'
import { invalidInput, limitReached, machineUnfit, type TermError } from '@agentpty/protocol'
import { folderDepthMax, folderFilesMax } from '@agentpty/protocol/gym'
import { type Parsing, parseAs, readJsonText } from './json-text.ts'
import type { Folder } from './tree/folder.ts'
import { readAtMost } from './tree/pack.ts'
import { type Found, resolveBelow } from './tree/resolve.ts'

export function hasFile(folder: string, path: string): boolean {
  return resolveBelow(folder, path, ({ kind }) => kind === 'file') ?? false
}

/** Whether its owner may run it. */
export function isExecutable(folder: string, path: string): boolean {
  const mode = resolveBelow(folder, path, (found) => modeOf(found))
  return ((mode ?? 0) & 0o100) !== 0
}

function modeOf(found: Found): number {
  return found.kind === 'folder' ? found.folder.ownStat().mode : (found.parent.stat(found.name)?.mode ?? 0)
}

export function hasFolder(folder: string, path: string): boolean {
  return resolveBelow(folder, path, ({ kind }) => kind === 'folder') ?? false
}

/** Names of the entries of a folder; empty where it does not exist. Names that are not UTF-8 are left out: nothing of a task has one. */
export function namesInside(folder: string, path: string): readonly string[] {
  const names = resolveBelow(folder, path, (found) => (found.kind === 'folder' ? textNames(found.folder) : []))
  return names ?? []
}

/** Null for what does not exist. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readBytesInside(folder: string, path: string, bytesMax: number): Buffer | null {
  const shown = join(folder, path)
  return resolveBelow(folder, path, (found) => {
    if (found.kind === 'folder') throw noPlainFile(shown)
    return readFound(found, shown, bytesMax)
  })
}

function readFound({ parent, name }: Exclude<Found, { kind: 'folder' }>, shown: string, bytesMax: number): Buffer {
  const descriptor = openFound(parent, name, shown)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw noPlainFile(shown)
    const bytes = readAtMost(descriptor, stat.size, bytesMax)
    if (bytes !== null) return bytes
    throw limitReached(`${shown} is longer than ${bytesMax} bytes.`, 'Shorten it.')
  } finally {
    closeSync(descriptor)
  }
}

function openFound(parent: Folder, name: Buffer, shown: string): number {
  try {
    return parent.openFile(name)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw machineUnfit(`${shown} cannot be read: ${reason}.`, 'Make it readable.')
  }
}

const noPlainFile = (shown: string): TermError => invalidInput(`${shown} is no plain file.`, 'Put a file in its place.')

interface JsonFile {
  readonly folder: string
  readonly path: string
  readonly bytesMax: number
}

/** The file as the schema has it; null for what does not exist. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readJsonInside<Value>(schema: Parsing<Value>, { folder, path, bytesMax }: JsonFile): Value | null {
  const file = join(folder, path)
  const text = readTextInside(folder, path, bytesMax)
  return text === null ? null : parseAs(schema, readJsonText(text, { file, bytesMax }), file)
}

/** Null for what does not exist. Errors: those of {@link readBytesInside}, and `invalid_input` for what is no UTF-8. */
export function readTextInside(folder: string, path: string, bytesMax: number): string | null {
  const bytes = readBytesInside(folder, path, bytesMax)
  if (bytes === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder's own error does not say which file it is.
    throw invalidInput(`${join(folder, path)} is no UTF-8.`, 'Save it as UTF-8.')
  }
}

/** Paths of all plain files below, from the folder, in no order. Links that stay inside count as what they lead to. Errors: `invalid_input`, `limit_reached`. */
export function filesBelow(folder: string, path: string): readonly string[] {
  const files: string[] = []
  let entries = 0
  const walk = (at: string, depth: number): void => {
    if (depth > folderDepthMax || ++entries > folderFilesMax)
      throw limitReached(
        `${join(folder, path)} has more than ${folderFilesMax} files, or folders deeper than ${folderDepthMax}.`,
        'Leave out what the task does not need.',
      )
    const names = resolveBelow(folder, at, (found): readonly string[] | 'file' => {
      if (found.kind === 'folder') return textNames(found.folder)
      if (found.kind === 'file') return 'file'
      throw invalidInput(`${join(folder, at)} is no plain file.`, 'Take it out of the folder.')
    })
    if (names === 'file') files.push(at)
    else for (const name of names ?? []) walk(at === '.' ? name : `${at}/${name}`, depth + 1)
  }
  walk(path, 0)
  return files
}

const textNames = (folder: Folder): readonly string[] =>
  folder.names().flatMap((name) => {
    const text = name.toString()
    return Buffer.from(text).equals(name) ? [text] : []
  })
