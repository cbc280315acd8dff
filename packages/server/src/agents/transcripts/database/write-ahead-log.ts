/**
 * The write-ahead log beside a database of SQLite: pages that are newer than those in the database. What was read of it is remembered, so
 * that each time only new frames are read. A frame counts by its checksum and once its transaction is whole.
 *
 * Source: https://sqlite.org/fileformat2.html#walformat
 */

import { databaseFramesMax } from '@agentpty/protocol/agents'
import { type PlainFile, readAt } from '../transcript.ts'

const headerBytes = 32
const frameHeaderBytes = 24
const magic = 0x377f0682
const framesAtOnce = 64

type Checksum = readonly [number, number]

export class WriteAheadLog {
  #header: Buffer = Buffer.alloc(0)
  #pageBytes = 0
  #isBigEndian = false
  #frames = 0
  #checksum: Checksum = [0, 0]
  /** Where the newest copy of each page is, of whole transactions. */
  #pages = new Map<number, number>()
  /** The pages of the transaction that is not complete yet. */
  #open = new Map<number, number>()

  /** Where the page is; null where that in the database is the newest. */
  at(page: number): number | null {
    return this.#pages.get(page) ?? null
  }

  /** Reads what has come. False where there is more than is taken. */
  async look(file: PlainFile): Promise<boolean> {
    const header = await readAt(file, 0, headerBytes)
    if (!header.equals(this.#header)) this.#begin(header)
    if (this.#pageBytes === 0) return true
    const frameBytes = frameHeaderBytes + this.#pageBytes
    for (;;) {
      const from = headerBytes + this.#frames * frameBytes
      const bytes = await readAt(file, from, framesAtOnce * frameBytes)
      const taken = this.#take(bytes, from)
      if (taken < framesAtOnce) return true
      if (this.#frames >= databaseFramesMax) return false
    }
  }

  /** The database has taken over everything, and the log began anew. */
  async isSame(file: PlainFile): Promise<boolean> {
    return (await readAt(file, 0, headerBytes)).equals(this.#header)
  }

  forget(): void {
    this.#begin(Buffer.alloc(0))
  }

  #begin(header: Buffer): void {
    this.#header = header
    this.#frames = 0
    this.#pages = new Map()
    this.#open = new Map()
    this.#pageBytes = 0
    if (header.length < headerBytes || (header.readUInt32BE(0) & ~1) >>> 0 !== magic) return
    const pageBytes = header.readUInt32BE(8)
    if (!isPageSize(pageBytes)) return
    this.#isBigEndian = (header.readUInt32BE(0) & 1) === 1
    this.#checksum = this.#sum(header.subarray(0, 24), [0, 0])
    if (!isSum(header, 24, this.#checksum)) return
    this.#pageBytes = pageBytes
  }

  /** Returns how many frames are whole and of this log. */
  #take(bytes: Buffer, from: number): number {
    const frameBytes = frameHeaderBytes + this.#pageBytes
    let taken = 0
    for (let at = 0; at + frameBytes <= bytes.length; at += frameBytes) {
      const frame = bytes.subarray(at, at + frameBytes)
      // The salts are those of the log: later frames belong to the log before it.
      if (!frame.subarray(8, 16).equals(this.#header.subarray(16, 24))) return taken
      const sum = this.#sum(frame.subarray(frameHeaderBytes), this.#sum(frame.subarray(0, 8), this.#checksum))
      if (!isSum(frame, 16, sum)) return taken
      this.#checksum = sum
      this.#frames += 1
      taken += 1
      this.#open.set(frame.readUInt32BE(0), from + at + frameHeaderBytes)
      if (frame.readUInt32BE(4) === 0) continue
      for (const [page, place] of this.#open) this.#pages.set(page, place)
      this.#open.clear()
    }
    return taken
  }

  #sum(bytes: Buffer, [before, after]: Checksum): Checksum {
    let first = before
    let second = after
    for (let at = 0; at < bytes.length; at += 8) {
      const [one, other] = this.#isBigEndian
        ? [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
        : [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
      first = (first + one + second) >>> 0
      second = (second + other + first) >>> 0
    }
    return [first, second]
  }
}

const isSum = (bytes: Buffer, at: number, [first, second]: Checksum): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second

/** A power of two. */
export function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0
}
