/** Records what has become of the tokens of scopes. Nothing here fails a call. */

import { type Clock, defined } from '@agentpty/protocol'
import type { BodyOf } from '@agentpty/protocol/audit'
import type { ScopeChange } from '@agentpty/protocol/scope'
import type { AuditJournal, AuditWriter } from '@agentpty/server/audit'
import { ScopeChanges } from '@agentpty/server/scopes'

export interface RecordedScopesOptions {
  /** The folder of their tokens. */
  readonly folder: string
  readonly clock: Clock
  readonly journal: Pick<AuditJournal, 'put' | 'failed'>
  readonly writer: Pick<AuditWriter, 'flush' | 'status'>
}

export class RecordedScopes {
  readonly #options: RecordedScopesOptions
  readonly #changes: ScopeChanges
  #problem: string | null = null

  constructor(options: RecordedScopesOptions) {
    this.#options = options
    this.#changes = new ScopeChanges(options.folder, options.clock)
  }

  /** Before each call, and when a server begins and ends. */
  look(): void {
    try {
      const changes = this.#changes.look()
      for (const change of changes) this.#options.journal.put(bodyOf(change))
      if (changes.length > 0) void this.#keepSoon()
      this.#problem = null
    } catch (error) {
      // Each call reads the files; an unreadable file is reported once.
      if (this.#problem !== String(error)) this.#options.journal.failed(error)
      this.#problem = String(error)
    }
  }

  /** Keeps the changes once they are written: else the next server reports them again. */
  keepWritten(): void {
    try {
      if (this.#options.writer.status.waiting === 0) this.#changes.keep()
    } catch (error) {
      this.#options.journal.failed(error)
    }
  }

  async #keepSoon(): Promise<void> {
    await this.#options.writer.flush()
    this.keepWritten()
  }
}

function bodyOf({ event, name, id, by, at, expiresAt }: ScopeChange): BodyOf<'scope'> {
  return defined({
    kind: 'scope' as const,
    event,
    scope: name,
    scopeId: id,
    by: by ?? undefined,
    happenedAt: at,
    expiresAt: expiresAt ?? undefined,
  })
}
