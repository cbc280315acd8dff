/**
 * The tables and indexes in the pages of an SQLite database.
 *
 * Source: https://sqlite.org/fileformat2.html. Errors: `RangeError` for invalid content and for too many pages.
 */

import { isPageSize } from './write-ahead-log.ts'

const depthMax = 20
const payloadBytesMax = 16 * 1024 * 1024
const interiorIndex = 2
const interiorTable = 5
const leafIndex = 10
const leafTable = 13

interface Row {
  readonly rowId: number
  readonly values: Readonly<Record<string, Value>>
}

interface Cell {
  /** The page below it; null in a leaf. */
  readonly child: number | null
  readonly rowId: number
  /** Its content; only rows and indexes have one. */
  readonly values: () => Promise<readonly Value[]>
}

interface Node {
  readonly cells: readonly Cell[]
  /** Behind its last cell; null in a leaf. */
  readonly last: number | null
}

type ReadPage = (page: number, bytes: number) => Promise<Buffer>

interface Root {
  readonly page: number
  readonly columns: readonly string[]
}

export class Pages {
  readonly #read: ReadPage
  readonly #pageBytes: number
  /** Without what is reserved at the end of each. */
  readonly #usable: number
  #left: number
  readonly #roots = new Map<string, Root>()

  private constructor(read: ReadPage, header: Buffer, pagesMax: number) {
    this.#read = read
    this.#left = pagesMax
    const written = header.readUInt16BE(16)
    this.#pageBytes = written === 1 ? 65_536 : written
    this.#usable = this.#pageBytes - header.readUInt8(20)
    const isText = header.subarray(0, 16).toString('latin1') === 'SQLite format 3\0' && header.readUInt32BE(56) === 1
    if (!isText || !isPageSize(this.#pageBytes) || this.#usable < 480) throw new RangeError('no database of UTF-8 text')
  }

  static async open(read: ReadPage, pagesMax: number): Promise<Pages> {
    const pages = new Pages(read, await read(1, 512), pagesMax)
    for await (const { values } of pages.#rowsFromEnd({ page: 1, columns: ['type', 'name', 'of', 'page', 'sql'] })) {
      const { name, page, sql } = values
      if (typeof name !== 'string' || typeof page !== 'number') continue
      pages.#roots.set(name, { page, columns: typeof sql === 'string' ? columnsOf(sql) : [] })
    }
    return pages
  }

  /** All rows of a table, the one that was made last first. */
  rowsFromEnd(table: string): AsyncGenerator<Row> {
    return this.#rowsFromEnd(this.#root(table))
  }

  /** Yields the rows with this text in the first column of an index, in descending order of its further columns. */
  async *rowsByIndex(table: string, index: string, text: string): AsyncGenerator<Row> {
    const root = this.#root(table)
    for await (const values of this.#entriesFromEnd(this.#root(index).page, text, 0)) {
      const rowId = values.at(-1)
      const row = typeof rowId === 'number' ? await this.#rowOf(root, rowId) : null
      if (row !== null) yield row
    }
  }

  #root(name: string): Root {
    const root = this.#roots.get(name)
    if (root === undefined) throw new RangeError(`no ${name}`)
    return root
  }

  async *#rowsFromEnd({ page, columns }: Root, depth = 0): AsyncGenerator<Row> {
    const { cells, last } = await this.#node(page, depth)
    if (last !== null) yield* this.#rowsFromEnd({ page: last, columns }, depth + 1)
    for (const { child, rowId, values } of cells.toReversed())
      if (child === null) yield { rowId, values: named(columns, await values()) }
      else yield* this.#rowsFromEnd({ page: child, columns }, depth + 1)
  }

  async #rowOf({ page, columns }: Root, wanted: number, depth = 0): Promise<Row | null> {
    const { cells, last } = await this.#node(page, depth)
    const at = cells.find(({ rowId }) => rowId >= wanted)
    const below = at === undefined ? last : at.child
    if (below !== null) return this.#rowOf({ page: below, columns }, wanted, depth + 1)
    return at === undefined || at.rowId !== wanted ? null : { rowId: wanted, values: named(columns, await at.values()) }
  }

  async *#entriesFromEnd(page: number, text: string, depth: number): AsyncGenerator<readonly Value[]> {
    const { cells, last } = await this.#node(page, depth)
    const found = await Promise.all(cells.map(async ({ child, values }) => ({ child, values: await values() })))
    const ranked = found.map(({ child, values }) => ({ child, values, rank: rankOf(values[0] ?? null, text) }))
    // The entries below and after a cell sort after it.
    if (last !== null && (ranked.at(-1)?.rank ?? 0) <= 0) yield* this.#entriesFromEnd(last, text, depth + 1)
    for (const [index, { child, values, rank }] of [...ranked.entries()].toReversed()) {
      if (rank < 0) return
      if (rank === 0) yield values
      if (child !== null && (ranked[index - 1]?.rank ?? 0) <= 0) yield* this.#entriesFromEnd(child, text, depth + 1)
    }
  }

  async #page(page: number): Promise<Buffer> {
    this.#left -= 1
    if (this.#left < 0) throw new RangeError('too many pages')
    if (page < 1) throw new RangeError('no page')
    const bytes = await this.#read(page, this.#pageBytes)
    if (bytes.length < this.#pageBytes) throw new RangeError('a page is cut')
    return bytes
  }

  async #node(number: number, depth: number): Promise<Node> {
    if (depth > depthMax) throw new RangeError('too deep')
    const page = await this.#page(number)
    const start = number === 1 ? 100 : 0
    const kind = page.readUInt8(start)
    const isInterior = kind === interiorIndex || kind === interiorTable
    if (!isInterior && kind !== leafIndex && kind !== leafTable) throw new RangeError('no tree')
    const count = page.readUInt16BE(start + 3)
    const pointers = start + (isInterior ? 12 : 8)
    const cells = Array.from({ length: count }, (_, index) =>
      this.#cell(page, page.readUInt16BE(pointers + 2 * index), kind),
    )
    return { cells, last: isInterior ? page.readUInt32BE(start + 8) : null }
  }

  #cell(page: Buffer, from: number, kind: number): Cell {
    const isInterior = kind === interiorIndex || kind === interiorTable
    const isTable = kind === interiorTable || kind === leafTable
    const child = isInterior ? page.readUInt32BE(from) : null
    let at = from + (isInterior ? 4 : 0)
    let bytes = 0
    let rowId = 0
    if (kind !== interiorTable) [bytes, at] = readVarint(page, at)
    if (isTable) [rowId, at] = readVarint(page, at)
    const start = at
    const isEmpty = kind === interiorTable
    return {
      child,
      rowId,
      values: async () => (isEmpty ? [] : readRow(await this.#payload(page, start, bytes, isTable))),
    }
  }

  /** Reads a payload. The part that does not fit into the page is in a chain of overflow pages. */
  async #payload(page: Buffer, from: number, bytes: number, isTable: boolean): Promise<Buffer> {
    if (bytes > payloadBytesMax) throw new RangeError('too long')
    const usable = this.#usable
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
    if (bytes <= most) return cut(page, from, bytes)
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const wanted = least + ((bytes - least) % (usable - 4))
    const here = wanted <= most ? wanted : least
    const parts = [cut(page, from, here)]
    let next = page.readUInt32BE(from + here)
    for (let left = bytes - here; left > 0; left -= usable - 4) {
      const more = await this.#page(next)
      parts.push(more.subarray(4, 4 + Math.min(left, usable - 4)))
      next = more.readUInt32BE(0)
    }
    return Buffer.concat(parts)
  }
}

function cut(page: Buffer, from: number, bytes: number): Buffer {
  if (from + bytes > page.length) throw new RangeError('beyond its page')
  return page.subarray(from, from + bytes)
}

/** Returns the sort order: null before numbers, numbers before texts. */
function rankOf(value: Value, text: string): number {
  if (typeof value !== 'string') return Buffer.isBuffer(value) ? 1 : -1
  return Buffer.compare(Buffer.from(value), Buffer.from(text))
}

function named(columns: readonly string[], values: readonly Value[]): Row['values'] {
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
}

/**
 * The names of the columns of a table, in their order, by the statement that has made it.
 *
 * @example columnsOf('CREATE TABLE `a` (`id` text PRIMARY KEY, size real DEFAULT (1, 2), UNIQUE (id))') // ['id', 'size']
 */
export function columnsOf(statement: string): readonly string[] {
  const from = statement.indexOf('(')
  const until = statement.lastIndexOf(')')
  if (from < 0 || until < from) return []
  const parts = partsOf(statement.slice(from + 1, until)).map((part) => part.trim())
  return parts.filter((part) => !constraint.test(part)).map((part) => (/^["`[]?([^"`\]\s]+)/.exec(part) ?? [])[1] ?? '')
}

const constraint = /^(?:CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK)\b/i

/** Between commas that are in no brackets and in no quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  let quote = ''
  for (const sign of text) {
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'" || sign === '`') quote = sign
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0 && quote === '') {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part]
}

// A row of SQLite: its kinds first, then its values. Errors: `RangeError`.

type Value = string | number | Buffer | null

/** Returns the number, and where what follows it begins. Whole numbers above 2^53 are not exact; none that matters here is one. */
export function readVarint(bytes: Buffer, from: number): [number: number, next: number] {
  let number = 0
  for (let at = from; at < from + 8; at++) {
    const byte = bytes.readUInt8(at)
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) return [number, at + 1]
  }
  return [number * 256 + bytes.readUInt8(from + 8), from + 9]
}

export function readRow(bytes: Buffer): readonly Value[] {
  const [end, first] = readVarint(bytes, 0)
  const values: Value[] = []
  let value = end
  for (let at = first; at < end; ) {
    const [kind, next] = readVarint(bytes, at)
    const length = lengthOf(kind)
    if (value + length > bytes.length) throw new RangeError('beyond its row')
    values.push(valueIn(kind, bytes.subarray(value, value + length)))
    value += length
    at = next
  }
  return values
}

/** By kind, up to 11; behind that even kinds are bytes, and odd ones text. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0]

const lengthOf = (kind: number): number => lengths[kind] ?? Math.floor((kind - 12) / 2)

function valueIn(kind: number, bytes: Buffer): Value {
  if (kind === 0) return null
  if (kind === 6) return Number(bytes.readBigInt64BE(0))
  if (kind === 7) return bytes.readDoubleBE(0)
  if (kind === 8 || kind === 9) return kind - 8
  if (kind < 6) return bytes.readIntBE(0, bytes.length)
  return kind % 2 === 0 ? bytes : bytes.toString('utf8')
}
