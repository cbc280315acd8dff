/** What the groups of the contract are given, and the few things they all do. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import { isTermError, type TermError } from '@agentpty/protocol'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { onTestFinished } from 'vitest'

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

/** A folder that is gone after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-scratch-'))
  // The terminals may be another user's.
  chmodSync(folder, 0o777)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** All of a session's kept bytes as text, read in pieces of at most `maxBytes`, each from where the last one ended. */
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
