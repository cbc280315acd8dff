/** Composes the audit journal of a daemon: what it records comes from the pipeline, the guard, the approvals and the files of the policy. */

import { chainTo, inWords, type SeenHost } from '@agentpty/engine/host'
import { type Clock, defined, type Millis, version } from '@agentpty/protocol'
import type { Approval } from '@agentpty/protocol/approvals'
import {
  type AuditBody,
  type AuditStatus,
  auditTextCharactersMax,
  auditWordsCharactersMax,
  type TerminalRecords,
} from '@agentpty/protocol/audit'
import type { Call, Journal, NoteJudged } from '@agentpty/protocol/call'
import type { GateMessage } from '@agentpty/protocol/effects'
import type { PolicyFileState } from '@agentpty/protocol/policy'
import { scopesLookMs } from '@agentpty/protocol/scope'
import type { SecretValues } from '@agentpty/protocol/secrets'
import {
  AuditFiles,
  AuditJournal,
  AuditWriter,
  type ChainEnd,
  effectRecord,
  endOfChain,
  readHead,
  shortened,
  terminalRecords,
} from '@agentpty/server/audit'
import type { RanUnjudged } from '@agentpty/server/policy'
import { RecordedScopes } from './recorded-scopes.ts'

interface AuditOptions {
  readonly folder: string
  readonly host: SeenHost
  readonly clock: Clock
  readonly secrets: SecretValues | null
  /** Writes into the daemon’s log. */
  readonly log: (text: string) => void
  /** The folder of the tokens of scopes. */
  readonly scopes: string
}

/** Records calls. No error here fails a call or the daemon: it goes to the daemon's log and into the status. */
export class Audit {
  readonly #options: AuditOptions
  readonly #writer: AuditWriter
  readonly #journal: AuditJournal
  readonly #scopes: RecordedScopes
  #scopesLookedAt: Millis = 0
  readonly #afterResponse: AfterResponseQueue
  #findUnjudged: (terminalId: string) => void = () => undefined
  /** Terminals with input since the last write. */
  readonly #typedInto = new Set<string>()
  readonly records: TerminalRecords

  constructor(options: AuditOptions) {
    const { folder, host, clock, secrets, log, scopes } = options
    this.#options = options
    const failed = (error: unknown) => log(`A call could not be recorded: ${String(error)}`)
    this.#afterResponse = new AfterResponseQueue(failed)
    this.#writer = new AuditWriter({
      clock,
      store: new AuditFiles(folder),
      end: this.#end(),
      head: readHead(folder),
      masked: (text) => secrets?.masked(text) ?? text,
      beforeWrite: () => this.#beforeWrite(),
      failed: (error) =>
        log(error === null ? `${folder} is written again.` : `${folder} cannot be written: ${String(error)}`),
    })
    this.#journal = new AuditJournal({
      clock,
      writer: this.#writer,
      terminal: (idOrName) => {
        const found = host.known(idOrName)
        return found === null ? null : { id: found.info.id, offset: found.parsedTo, createdBy: found.info.createdBy }
      },
      chainTo: (terminalId) => chainTo(host, terminalId),
      inWords: (chain) => inWords(host, chain),
      failed,
    })
    this.records = terminalRecords(folder, () => {
      this.#afterResponse.flush()
      return this.#writer.flush()
    })
    this.#scopes = new RecordedScopes({ folder: scopes, clock, journal: this.#journal, writer: this.#writer })
    this.put({ kind: 'journal', event: 'started', version, pid: process.pid })
    this.#lookAtScopes()
    process.once('exit', () => {
      this.#afterResponse.flush()
      this.#writer.closeNow()
    })
  }

  /** Calls `find` for each terminal with input, before its records are written. It reports commands that ran without a judgement. */
  beforeWrite(find: (terminalId: string) => void): void {
    this.#findUnjudged = find
  }

  get journal(): Journal {
    const journal = this.#journal
    const note: Journal['note'] = (call, outcome, result) => {
      journal.note(call, outcome, result)
      if (outcome === 'done') this.#wasTyped(call)
    }
    // The result is noted after the response is sent.
    return {
      note: (...ended) => this.#afterResponse.do(() => note(...ended)),
      failed: (error) => journal.failed(error),
    }
  }

  /** A call that ends the server is recorded before it is done. */
  begins(call: Call): void {
    this.#journal.begins(call)
  }

  /** Records a judgement. Returns null for an allowed call: its caller needs no reference to the record. */
  readonly noted: NoteJudged = (call, judged) => {
    if (judged.verdict !== 'allow') return this.#journal.judged(call, judged)
    const at = this.#journal.momentOf(call)
    this.#afterResponse.do(() => this.#journal.judged(call, judged, at))
    return null
  }

  get status(): AuditStatus {
    return { folder: this.#options.folder, ...this.#writer.status }
  }

  approvalChanged({ approvalId, state, rule, resolved, terminalId, answeredBy, askedAt }: Approval): void {
    const event = state === 'open' ? 'asked' : state
    const waitedMs = event === 'asked' ? undefined : Math.max(0, this.#options.clock.wall() - askedAt)
    this.put(
      defined({
        kind: 'approval' as const,
        event,
        approvalId,
        rule,
        resolved: shortened(resolved, auditWordsCharactersMax),
        session: terminalId ?? undefined,
        by: answeredBy ?? undefined,
        waitedMs,
      }),
    )
  }

  effect(session: string, message: GateMessage): void {
    const record = effectRecord(session, message)
    if (record !== null) this.put(record)
  }

  unjudged(session: string, line: string, { offset, startedAt, isByPerson }: RanUnjudged): void {
    const { clock } = this.#options
    this.put(
      defined({
        kind: 'difference' as const,
        session,
        offset,
        line: shortened(line, auditTextCharactersMax),
        ranAt: clock.wall() - Math.max(0, clock.now() - startedAt),
        person: isByPerson ? (true as const) : undefined,
      }),
    )
  }

  /** Writes the problems of a file into the log too: no person may be there to ask. */
  policySeen({ path, state, rules, problems }: PolicyFileState): void {
    const lines = problems.map(({ file, line, found }) => `${file}:${line}: ${found}`)
    const isInvalid = state === 'kept' || state === 'broken'
    if (isInvalid)
      this.#options.log(
        `${path} is invalid${state === 'kept' ? ', its last good rules hold' : ''}: ${lines.slice(0, problemsMax).join('; ')}`,
      )
    const shown = lines.slice(0, problemsMax).map((line) => shortened(line, auditWordsCharactersMax))
    this.put({ kind: 'policy', file: path, state, rules, problems: shown })
  }

  /** Tokens that were made or revoked meanwhile are recorded before anything is done with one, and else soon. */
  seesCall({ context }: Call): void {
    const { clock } = this.#options
    if (context.scope === undefined && clock.now() - this.#scopesLookedAt < scopesLookMs) return
    this.#lookAtScopes()
  }

  #lookAtScopes(): void {
    this.#scopesLookedAt = this.#options.clock.now()
    this.#scopes.look()
  }

  put(body: AuditBody): void {
    this.#journal.put(body)
  }

  /** Before this daemon gives the terminals away: the next one writes the same files. */
  async close({ all }: { readonly all: boolean }): Promise<void> {
    this.#afterResponse.flush()
    this.#journal.end()
    this.#lookAtScopes()
    this.put({ kind: 'journal', event: 'ended', why: all ? 'with all terminals' : 'the terminals go on' })
    await this.#writer.close()
    this.#scopes.keepWritten()
  }

  #end(): ChainEnd {
    try {
      return endOfChain(this.#options.folder)
    } catch (error) {
      this.#options.log(`${this.#options.folder} cannot be read: ${String(error)}`)
      return { n: 0, hash: '', id: null, torn: null }
    }
  }

  #wasTyped({ typesInto }: Call): void {
    const session = typesInto === undefined ? null : this.#options.host.known(typesInto)
    if (session !== null) this.#typedInto.add(session.info.id)
  }

  #beforeWrite(): void {
    this.#lookAtScopes()
    const sessions = [...this.#typedInto]
    this.#typedInto.clear()
    try {
      for (const session of sessions) this.#findUnjudged(session)
    } catch (error) {
      this.#journal.failed(error)
    }
  }
}

const problemsMax = 5

/** A longer queue runs immediately, because each step holds its data in memory. */
const waitingMax = 1_000

/** Runs queued steps in order, after the current response is sent. */
class AfterResponseQueue {
  readonly #failed: (error: unknown) => void
  #waiting: (() => void)[] = []

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  do(step: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.flush())
    this.#waiting.push(step)
    if (this.#waiting.length >= waitingMax) this.flush()
  }

  /** Runs all queued steps immediately. */
  flush(): void {
    const steps = this.#waiting
    this.#waiting = []
    for (const step of steps) {
      try {
        step()
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}
