/**
 * Archives of tar, as bytes: written for a container to unpack, and read from what a container has packed. No program of the host touches one.
 *
 * Names are bytes. Read are the formats that tar programs write: ustar, GNU's long names and large sizes, and pax. An archive from a container
 * comes from a hostile side, so every field is checked, and nothing in it is a path of the host: {@link readArchive} only says what is there.
 */

import { machineUnfit, type TermError } from '@agentpty/protocol'
import { partsOf } from './resolve.ts'

const blockBytes = 512
const octal = {
  name: 100,
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  link: 157,
} as const
const magicAt = 257
const prefix = { at: 345, bytes: 155 } as const
/** GNU's long name for the entry after it. */
const longName = 'L'
const longLink = 'K'
const paxHeader = 'x'
const paxGlobal = 'g'
/** Longer names do not exist on Linux, and pax headers hold little else. */
const extraBytesMax = 1 << 20

export interface ArchiveEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** The parts of its path; none for the top. None of them is `..`. */
  readonly path: readonly Buffer[]
  /** Rights alone. */
  readonly mode: number
  /** The content of a file; for a hard link, that of the file that it names. */
  readonly content: Buffer
  readonly target: Buffer
}

const none = Buffer.alloc(0)

/** Entries in their order, and how many could not be read as one of these. Errors: `machine_unfit` for what is no archive. */
export function readArchive(bytes: Buffer): { readonly entries: readonly ArchiveEntry[]; readonly refused: number } {
  const reader = new ArchiveReader(bytes)
  for (let header = reader.next(); header !== null; header = reader.next()) reader.take(header)
  return { entries: reader.entries, refused: reader.refused }
}

interface Header {
  readonly type: string
  readonly name: Buffer
  readonly link: Buffer
  readonly mode: number
  readonly content: Buffer
}

class ArchiveReader {
  readonly entries: ArchiveEntry[] = []
  refused = 0
  readonly #bytes: Buffer
  readonly #files = new Map<string, Buffer>()
  #at = 0
  /** Said ahead of the next entry. */
  #ahead: { name?: Buffer; link?: Buffer; size?: number } = {}

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Null at the end: two empty blocks, or where the bytes end. */
  next(): Header | null {
    const block = this.#bytes.subarray(this.#at, this.#at + blockBytes)
    if (block.length === 0 || block.every((byte) => byte === 0)) return null
    const hasRightSum = numberAt(block, octal.sum, 8) === sumOf(block)
    if (block.length < blockBytes || !hasRightSum) throw malformed(`at byte ${this.#at}`)
    const type = String.fromCharCode(block[octal.type] ?? 0)
    const isExtra = [longName, longLink, paxHeader, paxGlobal].includes(type)
    const size = isExtra ? numberAt(block, octal.size, 12) : (this.#ahead.size ?? sizeOf(type, block))
    if (size === null || (isExtra && size > extraBytesMax)) throw malformed(`at byte ${this.#at}: its size`)
    const from = this.#at + blockBytes
    const content = this.#bytes.subarray(from, from + size)
    if (content.length < size) throw malformed('it ends in the middle of an entry')
    this.#at = from + Math.ceil(size / blockBytes) * blockBytes
    const mode = numberAt(block, octal.mode, 8) ?? 0
    return { type, name: nameIn(block), link: textAt(block, octal.link, 100), mode: mode & 0o777, content }
  }

  take(header: Header): void {
    const { type, content } = header
    if (type === longName) this.#ahead.name = untilZero(content)
    else if (type === longLink) this.#ahead.link = untilZero(content)
    else if (type === paxHeader) this.#ahead = { ...this.#ahead, ...paxOf(content) }
    else if (type !== paxGlobal) this.#takeEntry(header)
  }

  #takeEntry({ type, name, link, mode, content }: Header): void {
    const path = partsOf(this.#ahead.name ?? name)
    const target = this.#ahead.link ?? link
    this.#ahead = {}
    const key = keyOf(path)
    const kind = kindOf(type)
    const linked = type === '1' ? this.#files.get(keyOf(partsOf(target))) : content
    if (kind === null || linked === undefined || path.some((part) => part.equals(up) || part.includes(0))) {
      this.refused++
      return
    }
    if (kind === 'file') this.#files.set(key, linked)
    this.entries.push({
      kind,
      path,
      mode,
      content: kind === 'file' ? linked : none,
      target: kind === 'link' ? target : none,
    })
  }
}

const up = Buffer.from('..')

const keyOf = (path: readonly Buffer[]): string => path.map((part) => part.toString('latin1')).join('/')

/** Hard links are files; devices and pipes are `other`. Null for types that no program of today writes. */
function kindOf(type: string): ArchiveEntry['kind'] | null {
  if (type === '0' || type === '\0' || type === '7' || type === '1') return 'file'
  if (type === '5') return 'folder'
  if (type === '2') return 'link'
  return type === '3' || type === '4' || type === '6' ? 'other' : null
}

/** Links, folders and devices have no content, whatever their size says. */
function sizeOf(type: string, block: Buffer): number | null {
  const kind = kindOf(type)
  return kind === null || (kind === 'file' && type !== '1') ? numberAt(block, octal.size, 12) : 0
}

function nameIn(block: Buffer): Buffer {
  const name = textAt(block, 0, octal.name)
  // GNU's own format has times where ustar has the beginning of a long name.
  const isUstar = block.toString('latin1', magicAt, magicAt + 6) === 'ustar\0'
  const before = isUstar ? textAt(block, prefix.at, prefix.bytes) : none
  return before.length === 0 ? name : Buffer.concat([before, Buffer.from('/'), name])
}

const textAt = (block: Buffer, at: number, bytes: number): Buffer => untilZero(block.subarray(at, at + bytes))

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

/** Octal digits, or binary where the first bit is set. Null for what is neither. */
function numberAt(block: Buffer, at: number, bytes: number): number | null {
  const field = block.subarray(at, at + bytes)
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(1).reduce((all, byte) => all * 256 + byte, (field[0] ?? 0) & 0x7f)
    return Number.isSafeInteger(value) ? value : null
  }
  const digits = untilZero(field).toString('latin1').trim()
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null
}

/** Its own field counts as blanks. */
function sumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (const [at, byte] of block.entries()) if (at < octal.sum || at >= octal.sum + 8) sum += byte
  return sum
}

/** Records `LENGTH KEY=VALUE\n`. Errors: `machine_unfit`. */
function paxOf(content: Buffer): { name?: Buffer; link?: Buffer; size?: number } {
  const found: { name?: Buffer; link?: Buffer; size?: number } = {}
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, blank < 0 ? at : blank))
    if (blank < 0 || !Number.isSafeInteger(length) || length <= blank - at || at + length > content.length)
      throw malformed('a header of pax')
    const record = content.subarray(blank + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    const key = record.toString('latin1', 0, Math.max(0, equals))
    const value = record.subarray(equals + 1)
    if (key === 'path') found.name = value
    if (key === 'linkpath') found.link = value
    if (key === 'size') {
      found.size = Number(value.toString('latin1'))
      if (!Number.isSafeInteger(found.size) || found.size < 0) throw malformed('a size of pax')
    }
    at += length
  }
  return found
}

/** Leaves out entries below the archive's own links, which would be written where a link leads. Errors: `machine_unfit` for no archive. */
export function withoutLinkedEntries(bytes: Buffer): Buffer {
  const { entries } = readArchive(bytes)
  const links = new Set(entries.filter(({ kind }) => kind === 'link').map(({ path }) => keyOf(path)))
  const isLinked = ({ path }: ArchiveEntry) => path.some((_part, at) => at > 0 && links.has(keyOf(path.slice(0, at))))
  return filterArchive(bytes, (entry) => !isLinked(entry))
}

/** The archive with those entries alone; unchanged where that is all of them. Errors: `machine_unfit` for what is no archive. */
export function filterArchive(bytes: Buffer, isKept: (entry: ArchiveEntry) => boolean): Buffer {
  const { entries } = readArchive(bytes)
  if (entries.every(isKept)) return bytes
  const writer = new ArchiveWriter()
  for (const entry of entries.filter(isKept)) {
    const path = Buffer.from(keyOf(entry.path), 'latin1')
    if (entry.kind === 'file') writer.file(path, entry.mode, entry.content)
    else if (entry.kind === 'folder') writer.folder(path, entry.mode)
    else if (entry.kind === 'link') writer.link(path, entry.target)
  }
  return writer.end()
}

const malformed = (where: string): TermError =>
  machineUnfit(`An archive from the environment cannot be read: ${where}.`, 'Was tar in it replaced?')

/** Writes archives in GNU's format, all owned by the superuser, at the time 0. */
export class ArchiveWriter {
  readonly #blocks: Buffer[] = []
  bytes = 0

  file(path: Buffer, mode: number, content: Buffer): void {
    this.#entry({ type: '0', path, mode, content, target: none })
  }

  folder(path: Buffer, mode: number): void {
    this.#entry({ type: '5', path: Buffer.concat([path, Buffer.from('/')]), mode, content: none, target: none })
  }

  link(path: Buffer, target: Buffer): void {
    this.#entry({ type: '2', path, mode: 0o777, content: none, target })
  }

  end(): Buffer {
    this.#add(Buffer.alloc(2 * blockBytes))
    return Buffer.concat(this.#blocks)
  }

  #entry({ type, path, mode, content, target }: WrittenEntry): void {
    if (path.length > octal.name) this.#long(longName, path)
    if (target.length > octal.name) this.#long(longLink, target)
    this.#block(type, path.subarray(0, octal.name), mode, content, target.subarray(0, octal.name))
  }

  #long(type: string, text: Buffer): void {
    this.#block(type, Buffer.from('././@LongLink'), 0o644, Buffer.concat([text, Buffer.alloc(1)]), none)
  }

  #block(type: string, name: Buffer, mode: number, content: Buffer, link: Buffer): void {
    const block = Buffer.alloc(blockBytes)
    name.copy(block)
    block.write(digits(mode, 7), octal.mode)
    block.write(digits(0, 7), octal.owner)
    block.write(digits(0, 7), octal.group)
    block.write(digits(content.length, 11), octal.size)
    block.write(digits(0, 11), octal.time)
    block.write(type, octal.type)
    link.copy(block, octal.link)
    block.write('ustar  \0', magicAt, 'latin1')
    block.write(`${digits(sumOf(block), 6)}\0 `, octal.sum, 'latin1')
    this.#add(block)
    this.#add(content)
    this.#add(Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes))
  }

  #add(bytes: Buffer): void {
    this.#blocks.push(bytes)
    this.bytes += bytes.length
  }
}

interface WrittenEntry extends Pick<ArchiveEntry, 'mode' | 'content' | 'target'> {
  readonly type: string
  readonly path: Buffer
}

const digits = (value: number, count: number): string => value.toString(8).padStart(count, '0')
