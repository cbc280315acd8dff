/** All terminals of one server, for programs: those of a daemon, or of a private server. */

import { type Client, defined, firstFew, invalidInput, TermError } from '@agentpty/protocol'
import type { WaitFor } from '@agentpty/protocol/call'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { inLibraryWords } from './approving.ts'
import { Session } from './session.ts'

export interface OpenOptions extends VerbInput<'create'> {
  /** The longest wait for `waitFor` while opening; default 30,000 ms. The same as `waitTimeoutMs`, and takes precedence. */
  readonly timeoutMs?: number
}

/** A shape as `docker push`, an expression between slashes, or one of JavaScript. */
export type Pattern = string | RegExp

/** Rules that replace the added ones. Errors: `invalid_input`. */
export type AddPatterns = (patterns: { readonly deny: readonly Pattern[]; readonly ask: readonly Pattern[] }) => void

export type TerminalInfo = VerbOutput<'list'>['terminals'][number]

export class Terminals implements AsyncDisposable {
  /** Every verb by its name, with the inputs and results of docs/tools.md. */
  readonly client: Client
  readonly #close: () => Promise<void>
  readonly #addPatterns: AddPatterns | null
  readonly #patterns: { readonly deny: Pattern[]; readonly ask: Pattern[] } = { deny: [], ask: [] }

  constructor(client: Client, close: () => Promise<void>, addPatterns: AddPatterns | null = null) {
    this.client = client
    this.#close = close
    this.#addPatterns = addPatterns
  }

  /**
   * Commands that never run, for as long as this server does: shapes (`docker push`) or expressions. Errors: `invalid_input` for an
   * expression that cannot be matched in one pass, and at the daemon, whose rules are in its user’s config.yaml.
   */
  addBlockedPatterns(patterns: readonly Pattern[]): void {
    this.#add({ deny: patterns, ask: [] })
  }

  /** Commands that must be allowed first. Errors: as {@link Terminals.addBlockedPatterns}. */
  addApprovalPatterns(patterns: readonly Pattern[]): void {
    this.#add({ deny: [], ask: patterns })
  }

  /** Opens a terminal and waits until it is your turn in it. Errors: `spawn_failed`, `name_taken`, `limit_reached`. */
  async open({ timeoutMs, ...options }: OpenOptions = {}): Promise<Session> {
    const waiting = defined({ waitTimeoutMs: timeoutMs })
    const { terminalId } = await inLibraryWords(this.client.call('create', { ...options, ...waiting }))
    return new Session(this.client, terminalId)
  }

  /** A terminal that is open already, by id or name. Errors: `session_not_found`. */
  async session(idOrName: string): Promise<Session> {
    const terminals = await this.list()
    const found = terminals.find(({ terminalId, name }) => terminalId === idOrName || name === idOrName)
    if (found !== undefined) return new Session(this.client, found.terminalId)
    const open = firstFew(terminals.map(({ terminalId, name }) => name ?? terminalId))
    throw new TermError(
      'session_not_found',
      `No terminal "${idOrName}".`,
      open === '' ? 'None is open.' : `Open: ${open}.`,
    )
  }

  async list(): Promise<readonly TerminalInfo[]> {
    return (await this.client.call('list', {})).terminals
  }

  /** Waits until it holds in one of them, and returns that one. Null when the time was over first. */
  async first(sessions: readonly Session[], waitFor: WaitFor = 'ready', timeoutMs = 30_000): Promise<Session | null> {
    const terminalIds = sessions.map(({ id }) => id)
    const waiting = this.client.call('wait', { terminalIds, waitFor, waitTimeoutMs: timeoutMs })
    const { terminals } = await inLibraryWords(waiting)
    const met = terminals.find(({ outcome }) => outcome === 'met' || outcome === 'exited')
    return sessions.find(({ id }) => id === met?.terminalId) ?? null
  }

  #add({ deny, ask }: { readonly deny: readonly Pattern[]; readonly ask: readonly Pattern[] }): void {
    if (this.#addPatterns === null)
      throw invalidInput(
        'These terminals are the daemon’s, whose rules are its user’s.',
        'Write them into config.yaml below policy: docs/policy.md',
      )
    const all = { deny: [...this.#patterns.deny, ...deny], ask: [...this.#patterns.ask, ...ask] }
    this.#addPatterns(all)
    this.#patterns.deny.push(...deny)
    this.#patterns.ask.push(...ask)
  }

  /** Closes the connection. Terminals of a daemon continue; those of a private server end with it. */
  close(): Promise<void> {
    return this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }
}
