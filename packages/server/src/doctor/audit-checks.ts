/** The audit journal: whether it is as it was written, its user’s alone, and still written. */

import { statSync } from 'node:fs'
import type { Client } from '@agentpty/protocol'
import { ok, type Seen, type Subject, warn, wrong } from './check.ts'

export async function journalIsWhole({ audit, userId }: Pick<Subject, 'audit' | 'userId'>): Promise<Seen> {
  const stat = statSync(audit.folder, { throwIfNoEntry: false })
  if (stat === undefined) return ok('nothing is recorded yet')
  if (stat.uid !== userId) return wrong(`${audit.folder} belongs to another user`, 'Move it away.')
  if ((stat.mode & 0o077) !== 0) return wrong(`other users may look into ${audit.folder}`, `chmod 700 ${audit.folder}`)
  const { broken, records, last } = await audit.verify()
  if (broken === null) return ok(`${records} records, the last is ${last ?? 'none'}`)
  return wrong(
    `broken at record ${broken.n}: ${broken.what} (${broken.file}:${broken.line})`,
    `Somebody has changed it, or the disk has. See: agentpty audit --verify. A new one begins when ${audit.folder} is moved away.`,
  )
}

export async function journalIsWritten(daemon: Client): Promise<Seen> {
  const { folder, records, waiting, lost, problem } = (await daemon.control.status()).audit
  const count = lost === 0 ? '' : `; ${lost} records are lost`
  if (problem !== null)
    return wrong(`${folder} cannot be written: ${problem}; ${waiting} records wait${count}`, 'Make room on the disk.')
  return lost === 0
    ? ok(`record ${records} was the last`)
    : warn(`it is written again${count}`, 'Nothing needs to be done: a record says how many.')
}
