/**
 * The audit journal of a server: which calls it records, and with which content.
 *
 * It records each call that changes something, was refused, or was asked about, with its judgement and its end. Of
 * read-only calls it records once that a caller looked into another caller's terminal. A person’s keys are one record
 * for some seconds, without the keys.
 *
 * Recording never throws into a call and never waits for the disk.
 */

import { BoundedMap, type Clock, defined, type Offset } from '@agentpty/protocol'
import {
  type AuditBody,
  type AuditCaller,
  auditSeenMax,
  auditTextCharactersMax,
  auditWordsCharactersMax,
  type BodyOf,
} from '@agentpty/protocol/audit'
import type { Call, CallContext, Journal, JudgedNote, Outcome } from '@agentpty/protocol/call'
import { isVerbName, type Verb, verbs } from '@agentpty/protocol/verbs'
import type { AuditWriter } from './audit-writer.ts'
import { OpenCalls, TypingRuns } from './open-calls.ts'

interface KnownTerminal {
  readonly id: string
  /** The end of its output. */
  readonly offset: Offset
  readonly createdBy: string
}

interface AuditJournalOptions {
  readonly clock: Clock
  readonly writer: Pick<AuditWriter, 'newId' | 'put'>
  /** By id or name; null when there is none. */
  readonly terminal: (idOrName: string) => KnownTerminal | null
  /** The terminals through which one was opened, the outermost first, itself included. */
  readonly chainTo: (terminalId: string | null) => readonly string[]
  /** The same in words, with what runs in each. */
  readonly inWords: (chain: readonly string[]) => readonly string[]
  /** Gets what the journal itself could not do: a defect. */
  readonly failed: (error: unknown) => void
}

/** When a call was judged, and how far its terminal had come. */
interface Moment {
  readonly begunAt: number
  readonly offset: Offset | null
}

/** A call that was judged and has not ended, or one that ends. */
interface Begun extends Moment {
  readonly id: string
  readonly judged: JudgedNote | null
}

export class AuditJournal implements Journal {
  readonly #options: AuditJournalOptions
  readonly #open: OpenCalls<Begun>
  readonly #typing: TypingRuns
  readonly #seen = new BoundedMap<string, true>(auditSeenMax)

  constructor(options: AuditJournalOptions) {
    const { clock, writer } = options
    this.#options = options
    this.#open = new OpenCalls(clock, (call, begun) => this.#record(call, begun, { outcome: 'open' }))
    this.#typing = new TypingRuns(clock, (body) => writer.put(body))
  }

  failed(error: unknown): void {
    this.#options.failed(error)
  }

  /** Never throws. Null when it could not be noted. `at`: when it was judged, if that was before now. */
  judged(call: Call, judged: JudgedNote, at: Moment = this.momentOf(call)): string | null {
    try {
      const id = this.#options.writer.newId()
      this.#open.add(call, { id, ...at, judged })
      return id
    } catch (error) {
      this.#options.failed(error)
      return null
    }
  }

  momentOf(call: Call): Moment {
    return { begunAt: this.#options.clock.wall(), offset: this.#terminalIn(call)?.offset ?? null }
  }

  /** A call begins; one that ends the server is recorded now. */
  begins(call: Call): void {
    if (call.name !== 'stop') return
    const now = { id: this.#options.writer.newId(), begunAt: this.#options.clock.wall(), offset: null, judged: null }
    this.#record(call, now, { outcome: 'open' })
  }

  note(call: Call, outcome: Outcome, result?: unknown): void {
    const { writer, clock } = this.#options
    const begun = this.#open.take(call)
    if (begun?.isRecorded === true) {
      const terminal = this.#terminalIn(call, result)
      const place = { session: terminal?.id, offset: terminal?.offset }
      writer.put(defined({ kind: 'end' as const, of: begun.value.id, outcome, ...place }))
    } else if (begun !== null) this.#record(call, begun.value, { outcome, result })
    else if (call.name === 'write' && call.context.isPerson === true && outcome === 'done') this.#typed(call)
    else if (this.#isWorthIt(call, outcome, result)) {
      const now = { id: writer.newId(), begunAt: clock.wall(), offset: null, judged: null }
      this.#record(call, now, { outcome, result })
    }
  }

  /** Something else than a call. */
  put(body: AuditBody): void {
    try {
      this.#options.writer.put(body)
    } catch (error) {
      this.#options.failed(error)
    }
  }

  /** Records the pending typing before the server ends. */
  end(): void {
    this.#typing.end()
    this.#open.end()
  }

  #isWorthIt(call: Call, outcome: Outcome, result: unknown): boolean {
    const isRefused = refusals.has(outcome)
    if (changes(call, result)) return true
    if (!isRefused && !looks.has(call.name)) return false
    const terminal = this.#terminalIn(call)
    if (!isRefused && (terminal === null || terminal.createdBy === call.context.client)) return false
    const key = [call.context.client, terminal?.id ?? '', isRefused ? `${call.name} ${outcome}` : 'looks'].join('\0')
    const isNew = this.#seen.get(key) === undefined
    this.#seen.set(key, true)
    return isNew
  }

  #typed(call: Call): void {
    const terminal = this.#terminalIn(call)
    if (terminal === null) return
    this.#typing.typed(terminal, this.#callerOf(call.context))
  }

  #record(
    call: Call,
    { id, begunAt, offset, judged }: Begun,
    { outcome, result }: { readonly outcome: Outcome | 'open'; readonly result?: unknown },
  ): void {
    const { writer, clock } = this.#options
    const sessions = sessionsOf(call, result)
    const terminal = sessions[0] === undefined ? null : this.#options.terminal(sessions[0])
    const isLate = clock.wall() - begunAt > 1
    const body: BodyOf<'call'> = defined({
      kind: 'call' as const,
      verb: call.name,
      who: this.#callerOf(call.context),
      session: terminal?.id ?? sessions[0],
      sessions: sessions.length > 1 ? [...sessions] : undefined,
      offset: offset ?? undefined,
      end: outcome === 'open' ? undefined : terminal?.offset,
      ...(judged === null ? { text: detailsOf(call) ?? undefined, cwd: undefined } : judgedFields(judged)),
      outcome,
      begunAt: isLate ? begunAt : undefined,
    })
    writer.put(body, { id, isUrgent: refusals.has(outcome) })
  }

  #callerOf({ client, program, env, isPerson, scope }: CallContext): AuditCaller {
    const own = env['AGENTPTY_TERMINAL']
    const chain = own === undefined ? [] : this.#options.chainTo(own)
    return defined({
      client: shortened(client, auditWordsCharactersMax),
      program: program === undefined ? undefined : shortened(program, auditWordsCharactersMax),
      chain: chain.length > 0 ? [...chain] : undefined,
      through: chain.length > 0 ? [...this.#options.inWords(chain)] : undefined,
      person: isPerson === true ? (true as const) : undefined,
      scope: scope?.name,
    })
  }

  #terminalIn(call: Call, result?: unknown): KnownTerminal | null {
    const [name] = sessionsOf(call, result)
    return name === undefined ? null : this.#options.terminal(name)
  }
}

/** The codes of calls that a rule or a person refused, or that wait for a person. */
const refusals: ReadonlySet<string> = new Set(['denied', 'needs_approval', 'not_approved'])

/** Verbs that show the contents of a terminal. */
const looks: ReadonlySet<string> = new Set(['read', 'screenshot', 'recording', 'artifact', 'follow'])

/** A hook asks for messages at every step of an agent: what it finds is worth a record. */
function changes({ name, input }: Call, result: unknown): boolean {
  if (name === 'artifact') return false
  if (name === 'inbox') return tookMessages(input, result)
  return isVerbName(name) && verbs[name].effect !== 'reads'
}

function tookMessages(input: unknown, result: unknown): boolean {
  const { take } = input as { readonly take?: string }
  const { messages = [] } = (result ?? {}) as { readonly messages?: readonly unknown[] }
  return take !== 'none' && messages.length > 0
}

function judgedFields(judged: JudgedNote) {
  const { verdict, rule, source, profile, profileSource, resolved, reason, text, bytes, cwd, approvalId } = judged
  return {
    cwd: shortened(cwd, auditWordsCharactersMax),
    text: text === null || text === '' ? undefined : shortened(text, auditTextCharactersMax),
    bytes: bytes ?? undefined,
    resolved: resolved === '' || resolved === text ? undefined : shortened(resolved, auditWordsCharactersMax),
    verdict,
    rule: rule === 'none' ? undefined : rule,
    source: source === 'built-in' ? undefined : { ...source },
    profile,
    profileSource: profileSource === null ? undefined : { ...profileSource },
    reason: verdict === 'allow' ? undefined : reason,
    approvalId: approvalId ?? undefined,
  }
}

/** The words of the verb's record; null for what is not a verb. */
function detailsOf({ name, input }: Call): string | null {
  if (!isVerbName(name)) return null
  const { journal }: Verb = verbs[name]
  const words = journal?.(input) ?? null
  return words === null ? null : shortened(words, auditWordsCharactersMax)
}

const sessionsMax = 50

/** The terminals that a call names or has made, by the names that it uses. */
export function sessionsOf({ input, typesInto }: Call, result: unknown): readonly string[] {
  const { terminalId, terminalIds } = fieldsOf(input)
  if (typeof terminalId === 'string' && terminalIds === undefined) return [terminalId]
  const { terminalId: made, terminal, closed } = fieldsOf(result)
  const named = [terminalId ?? typesInto ?? [], terminalIds ?? []].flat()
  const found = named.length > 0 ? named : [made ?? fieldsOf(terminal)['terminalId'] ?? closed ?? []].flat()
  return [...new Set(found.filter((one): one is string => typeof one === 'string'))].slice(0, sessionsMax)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** The beginning and the end; a copy, so that a long text is not kept for a few words of it. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const half = Math.floor(charactersMax / 2)
  return Buffer.from(
    `${text.slice(0, half)} [${text.length - 2 * half} characters] ${text.slice(-half)}`,
    'utf8',
  ).toString('utf8')
}
