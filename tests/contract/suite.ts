/** The parameters of the contract's groups, and their shared helpers. */

import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, isTermError, type TermError } from '@agentpty/protocol'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { writeUserFiles } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

export interface Suite {
  readonly call: Client['call']
  readonly home: () => string | null
  /** A bash at its prompt. */
  readonly shell: (options?: VerbInput<'create'>) => Promise<VerbOutput<'create'>>
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<TermError> {
  const error = await call.then(
    (result) => new Error(`no error but ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  )
  if (!isTermError(error)) throw error instanceof Error ? error : new Error(String(error))
  return error
}

/** Creates a scratch folder that terminals of another user can write. */
export function sharedFolder(): string {
  const folder = scratchFolder()
  chmodSync(folder, 0o777)
  return folder
}

/** A session's retained bytes as text, read in pieces of at most `maxBytes`, each from the end of the previous one. */
export async function rawLog(call: Client['call'], terminalId: string, maxBytes = 1 << 20): Promise<string> {
  const parts: string[] = []
  let since = 0
  while (true) {
    const piece = await call('read', { terminalId, since, raw: true, maxBytes })
    if (piece.cursor <= since) return parts.join('')
    parts.push(piece.output)
    since = piece.cursor
  }
}

/** Makes this process a user of the library with its own home, which is returned. */
export function libraryUser(): string {
  const user = mkdtempSync(join(tmpdir(), 'agentpty-user-'))
  writeUserFiles(user)
  process.env['AGENTPTY_PTYHOST'] ??= resolve('native/ptyhost/build/ptyhost')
  process.env['HOME'] = user
  process.env['SHELL'] = '/bin/bash'
  return user
}
