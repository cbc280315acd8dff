/**
 * The tables and indexes in the pages of a database of SQLite.
 *
 * Source: https://sqlite.org/fileformat2.html. Errors: `RangeError` for whatever does not stand there as it must, and for too many pages.
 */

import { columnsOf } from './columns-of.ts'
import { readRow, readVarint, type Value } from './read-row.ts'
import { isPageSize } from './write-ahead-log.ts'

const depthMax = 20
const payloadBytesMax = 16 * 1024 * 1024
const [interiorIndex, interiorTable, leafIndex, leafTable] = [2, 5, 10, 13]

export interface Row {
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

  /** The rows of which an index has the text in its first column, the last by its further columns first. */
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
    // What is below and behind a cell comes after it.
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

  /** What does not fit into the page is on others, one after the other. */
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

/** Null stands before numbers, and numbers before texts. */
function rankOf(value: Value, text: string): number {
  if (typeof value !== 'string') return Buffer.isBuffer(value) ? 1 : -1
  return Buffer.compare(Buffer.from(value), Buffer.from(text))
}

function named(columns: readonly string[], values: readonly Value[]): Row['values'] {
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
}
