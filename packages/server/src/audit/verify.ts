/** Verifies numbers and the chain of hashes. A journal rewritten as a whole is found only by a record’s number and hash kept elsewhere. */

import { type AuditRecord, type AuditVerdict, type BrokenRecord, parseAuditRecord } from '@agentpty/protocol/audit'
import { parseObject } from '@agentpty/protocol/wire'
import type { AuditHead } from './audit-files.ts'
import { type AuditLine, positionOf } from './audit-lines.ts'

export interface Expected {
  /** The contents of the file `head`, read before the lines; null without it. */
  readonly head: AuditHead | null
  /** A record that must be there, from elsewhere. */
  readonly kept: AuditHead | null
}

export function verify(lines: Iterable<AuditLine>, { head, kept }: Expected): AuditVerdict {
  const walk = new Walk([head, kept].filter((one) => one !== null))
  const files = new Set<string>()
  for (const line of lines) {
    files.add(line.file)
    walk.take(line)
  }
  const { last } = walk
  return {
    broken: walk.finish(kept),
    files: files.size,
    records: walk.records,
    first: walk.first,
    last: last?.n ?? null,
    hash: last?.hash ?? null,
    notes: [...walk.notes, ...(head === null && last !== null ? [withoutHead] : [])],
  }
}

const withoutHead =
  'the file "head" is not there or not readable: it is not known whether records are missing at the end'

/** A line that is no record, which the next record may say was torn. */
interface Torn {
  readonly line: AuditLine
  readonly n: number
}

class Walk {
  readonly notes: string[] = []
  records = 0
  first: number | null = null
  last: AuditHead | null = null
  readonly #expected: readonly AuditHead[]
  #broken: BrokenRecord | null = null
  #torn: Torn | null = null
  /** Where the journal begins, when that is not record 1; and whether a record says that older ones were dropped. */
  #begin: { readonly line: AuditLine; readonly n: number } | null = null
  #isDropped = false
  #lastLine: AuditLine | null = null

  constructor(expected: readonly AuditHead[]) {
    this.#expected = expected
  }

  take(line: AuditLine): void {
    this.#lastLine = line
    const record = line.isEnded && line.text !== null ? parseObject(line.text) : null
    const at = positionOf(line)
    if (at === null) {
      if (this.#torn !== null) this.#break(this.#torn.line, this.#torn.n, noRecord)
      this.#torn = { line, n: this.#nextN }
      return
    }
    const known = parseAuditRecord(record)
    if (this.#torn !== null) this.#settleTorn(this.#torn, known)
    this.#check(line, at.n, at.prev)
    if (known !== null) this.#remember(known)
    this.records += 1
    this.first ??= at.n
    this.last = { n: at.n, hash: line.hash }
    for (const { n, hash } of this.#expected)
      if (n === at.n && hash !== line.hash) this.#break(line, n, 'it is not the record that was written')
  }

  /** The first record at which something is wrong; null when nothing is. */
  finish(kept: AuditHead | null): BrokenRecord | null {
    if (this.#torn?.line.isEnded === true) this.#break(this.#torn.line, this.#torn.n, noRecord)
    else if (this.#torn !== null)
      this.notes.push('the last line is not finished: it is just written, or its writer was killed')
    if (this.#begin !== null && this.#isDropped)
      this.notes.unshift(`begins at record ${this.#begin.n}: older ones were dropped, as there were too many`)
    else if (this.#begin !== null)
      this.#broken = brokenAt(
        this.#begin.line,
        1,
        `records 1 to ${this.#begin.n - 1} are missing, and were not dropped`,
      )
    const missing = this.#expected.find(({ n }) => n > (this.last?.n ?? 0))
    if (missing !== undefined && this.#lastLine !== null)
      this.#break(this.#lastLine, this.#nextN, `records ${this.#nextN} to ${missing.n} are missing at the end`)
    else if (missing !== undefined)
      this.#broken ??= { n: 1, file: '', line: 0, what: `records 1 to ${missing.n} are missing` }
    else if (kept !== null && this.first !== null && kept.n < this.first)
      this.notes.push(`record ${kept.n} was dropped: nothing can be said of it`)
    return this.#broken
  }

  get #nextN(): number {
    return (this.last?.n ?? 0) + 1
  }

  #check(line: AuditLine, n: number, prev: string): void {
    if (this.last === null) {
      if (n !== 1) this.#begin = { line, n }
      else if (prev !== '') this.#break(line, n, 'it names a record before it, and is the first')
    } else if (n > this.#nextN) this.#break(line, this.#nextN, `records ${this.#nextN} to ${n - 1} are missing`)
    else if (n !== this.#nextN) this.#break(line, this.#nextN, `record ${n} stands in its place`)
    else if (prev !== this.last.hash) this.#break(line, n, `it, or record ${n - 1} before it, was changed`)
  }

  #settleTorn({ line, n }: Torn, next: AuditRecord | null): void {
    this.#torn = null
    const isNamed =
      next?.kind === 'journal' &&
      next.event === 'repaired' &&
      next.torn?.sha256 === line.hash &&
      next.torn.bytes === line.bytes
    if (isNamed) this.notes.push(`a line before record ${next.n} was left unfinished by a process that was killed`)
    else this.#break(line, n, noRecord)
  }

  #remember(record: AuditRecord): void {
    if (record.kind !== 'journal') return
    if (record.event === 'dropped' && record.before === (this.first ?? record.n)) this.#isDropped = true
    if (record.event === 'lost')
      this.notes.push(`record ${record.n}: ${record.count ?? 0} records before it could not be written`)
  }

  #break(line: AuditLine, n: number, what: string): void {
    this.#broken ??= brokenAt(line, n, what)
  }
}

const noRecord = 'the line is no record, and no record says that it was torn'

const brokenAt = ({ file, line }: AuditLine, n: number, what: string): BrokenRecord => ({ n, file, line, what })
