/** How records are chained: each names the line before it by its hash, so that none can be changed, moved or left out unseen. */

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { type AuditPosition, auditLineBytesMax, parseAuditPosition } from '@agentpty/protocol/audit'
import { parseObject } from '@agentpty/protocol/wire'
import { type AuditHead, auditFiles } from './audit-files.ts'
import { type AuditLine, linesOfFile } from './audit-lines.ts'

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('base64url')
}

/** Null for what is no record. */
export function positionOf({ text, isEnded }: AuditLine): AuditPosition | null {
  return text === null || !isEnded ? null : parseAuditPosition(parseObject(text))
}

/** The end of a journal, as a new writer finds it. */
export interface ChainEnd extends AuditHead {
  /** The newest id; null without a record. */
  readonly id: string | null
  /** What a killed process has left unfinished. */
  readonly torn: { readonly bytes: number; readonly sha256: string } | null
}

const tailBytes = 4 * auditLineBytesMax

export function endOfChain(folder: string): ChainEnd {
  const [newest, before] = [...auditFiles(folder)].reverse()
  let torn: ChainEnd['torn'] = null
  for (const file of [newest, before]) {
    if (file === undefined) break
    const lines = [...linesOfFile(file, Math.max(0, statSync(file).size - tailBytes))]
    const last = lines.at(-1)
    if (file === newest && last !== undefined && !last.isEnded) torn = { bytes: last.bytes, sha256: last.hash }
    const found = lines.findLast((line) => positionOf(line) !== null)
    const position = found === undefined ? null : positionOf(found)
    if (found !== undefined && position !== null) return { n: position.n, hash: found.hash, id: position.id, torn }
  }
  return { n: 0, hash: '', id: null, torn }
}
