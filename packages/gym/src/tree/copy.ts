/** Copies between trees by descriptors: content, rights without set-ID bits, links unfollowed; pipes, sockets and devices are refused. */

import { closeSync, fstatSync, readSync, writeSync } from 'node:fs'
import { invalidInput, limitReached } from '@agentpty/protocol'
import { folderBytesMax, folderDepthMax, folderFilesMax } from '@agentpty/protocol/gym'
import { type Folder, isCode, kindOf } from './folder.ts'

const rights = 0o777
const pieceBytes = 1 << 20

/** The bounds for all copies into one tree together. */
export class CopyBudget {
  #entries = folderFilesMax
  #bytes = folderBytesMax

  /** Errors: `limit_reached`. */
  take(shown: string, depth: number, bytes: number): void {
    this.#entries--
    this.#bytes -= bytes
    if (this.#entries >= 0 && this.#bytes >= 0 && depth <= folderDepthMax) return
    throw limitReached(
      `${shown} is too much: at most ${folderFilesMax} entries, ${folderBytesMax} bytes and ${folderDepthMax} folders in each other are copied.`,
      'Leave out what the task does not need.',
    )
  }
}

export interface CopyEnds {
  readonly from: Folder
  readonly to: Folder
  readonly budget: CopyBudget
  /** The source, as errors name it. */
  readonly shown: string
}

/** Copies one file, link or folder. A folder that is there already is filled; anything else there is replaced. Errors: `invalid_input`, `limit_reached`. */
export function copyEntry(ends: CopyEnds, name: Buffer, newName: Buffer, depth = 0): void {
  const { from, to, budget } = ends
  const shown = `${ends.shown}/${name.toString()}`
  const stat = from.stat(name)
  if (stat === null) return
  const kind = kindOf(stat)
  budget.take(shown, depth, kind === 'file' ? stat.size : 0)
  if (kind === 'other') throw invalidInput(`${shown} is no plain file.`, 'Take it out of the folder.')
  if (kind === 'folder') copyFolder({ ...ends, shown }, name, newName, depth)
  else {
    removeForNew(to, newName, shown)
    if (kind === 'link') to.makeLink(newName, from.readLink(name))
    else copyFile(from, name, to, newName)
  }
}

export function copyContents(ends: CopyEnds, depth = 0): void {
  for (const name of ends.from.names()) copyEntry(ends, name, name, depth + 1)
}

function copyFolder(ends: CopyEnds, name: Buffer, newName: Buffer, depth: number): void {
  const from = ends.from.folder(name)
  try {
    const to = enterFolder(ends.to, newName, ends.shown)
    try {
      copyContents({ ...ends, from, to }, depth)
    } finally {
      to.close()
    }
    ends.to.chmod(newName, from.ownStat().mode & rights)
  } finally {
    from.close()
  }
}

/** Opens a folder, made where nothing is. Errors: `invalid_input` where a link or a file is. */
export function enterFolder(parent: Folder, name: Buffer, shown: string): Folder {
  try {
    return parent.makeFolder(name, 0o755)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const stat = parent.stat(name)
  const kind = stat === null ? 'other' : kindOf(stat)
  if (kind === 'folder') return parent.folder(name)
  throw invalidInput(
    `${shown}: ${name.toString()} is ${kind === 'link' ? 'a link, which is not followed' : 'no folder'}.`,
    'Put it into a folder.',
  )
}

function removeForNew(to: Folder, name: Buffer, shown: string): void {
  const stat = to.stat(name)
  if (stat === null) return
  if (stat.isDirectory())
    throw invalidInput(`${shown} cannot be put in place: a folder is there.`, 'Choose another name.')
  to.unlink(name)
}

function copyFile(from: Folder, name: Buffer, to: Folder, newName: Buffer): void {
  const source = from.openFile(name)
  try {
    const stat = fstatSync(source)
    if (!stat.isFile()) throw invalidInput(`${name.toString()} is no plain file.`, 'Take it out.')
    const target = to.createFile(newName, stat.mode & rights)
    try {
      copyBytes(source, target)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

/** Copies without copyFile, which gives the target all bits of the source's mode. */
function copyBytes(source: number, target: number): void {
  const piece = Buffer.alloc(pieceBytes)
  for (let count = readSync(source, piece); count > 0; count = readSync(source, piece))
    writeAll(target, piece.subarray(0, count))
}

/** Writes everything: one call may write less. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
