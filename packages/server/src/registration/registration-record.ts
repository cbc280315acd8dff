/** The contents of the clients' files before us, so that they can be restored. */

import { rmSync } from 'node:fs'
import { TermError } from '@agentpty/protocol'
import { ownServerName } from '@agentpty/protocol/setup'
import { readText, replaceFile } from './client-files.ts'

/** The record of one client's file. */
export interface Kept {
  readonly path: string
  /** Null when there was no file. */
  readonly before: string | null
  readonly afterHash: string
  /** Which of our servers were written into it since; without the field, {@link ownServerName}. */
  readonly servers?: readonly string[]
}

export type RegistrationRecord = Record<string, Kept>

export const serversOf = ({ servers }: Kept): readonly string[] => servers ?? [ownServerName]

/** Errors: `invalid_input`; without the record nothing could be restored, so nothing is changed either. */
export function readRecord(path: string): RegistrationRecord {
  const text = readText(path)
  if (text === null) return {}
  try {
    return JSON.parse(text) as RegistrationRecord
  } catch {
    throw new TermError(
      'invalid_input',
      `${path} cannot be read: it keeps what stood in the clients' files before.`,
      'Mend it, or move it away: then --undo --client NAME takes out that entry alone.',
    )
  }
}

export function writeRecord(path: string, record: Readonly<RegistrationRecord>): void {
  if (Object.keys(record).length === 0) rmSync(path, { force: true })
  else replaceFile(path, `${JSON.stringify(record, null, 2)}\n`)
}
