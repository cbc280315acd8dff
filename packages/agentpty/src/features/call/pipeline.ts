/**
 * The way of every call: it has been parsed, it passes the guards, it is done, and how it ended is noted.
 *
 * A guard decides whether a call may go on; it knows no face. All that a client can ask of a server goes this way: verbs, the
 * streams `follow` and `watch`, and what `control` asks of the server itself. A tool of a door is made of verbs, each of which does.
 *
 * The daemon and the library have no guard and no journal yet: for them a call is parsed and done.
 */

import type { CallContext } from '../../contracts/call/call-context.ts'
import { type ErrorCode, isTermError } from '../../contracts/errors.ts'
import type { VerbName } from '../../contracts/verbs/index.ts'

export interface Call {
  readonly name: VerbName | 'follow' | 'watch' | 'status' | 'stop'
  /** As its schema gives it, defaults filled in. */
  readonly input: unknown
  readonly context: CallContext
}

/** Returns to let the call go on, throws a {@link TermError} to refuse it; while it waits, so does the call. */
export type Guard = (call: Call) => void | Promise<void>

type Outcome = 'done' | ErrorCode

export interface Journal {
  /** Is given each call once it has ended: `done`, or the code of its error. */
  readonly note: (call: Call, outcome: Outcome) => void
  /** Is given what `note` threw, which is a defect of the journal: of a done call nobody may think that it failed, and do it again. */
  readonly failed: (error: unknown) => void
}

export class Pipeline {
  readonly #guards: readonly Guard[]
  readonly #journal: Journal | null

  /** Guards are asked in their order. */
  constructor(guards: readonly Guard[] = [], journal: Journal | null = null) {
    this.#guards = guards
    this.#journal = journal
  }

  /** Errors: of a guard, and of the call itself. */
  async run<Result>(call: Call, handle: () => Promise<Result>): Promise<Result> {
    let outcome: Outcome = 'done'
    try {
      // Without a guard nothing is awaited: calls begin in the order in which they are made.
      for (const guard of this.#guards) await guard(call)
      return await handle()
    } catch (error) {
      outcome = codeOf(error)
      throw error
    } finally {
      this.#note(call, outcome)
    }
  }

  /** The same for what goes on until nobody asks for more. */
  async *stream<Item>(call: Call, open: () => AsyncIterable<Item>): AsyncGenerator<Item, void> {
    let outcome: Outcome = 'done'
    try {
      for (const guard of this.#guards) await guard(call)
      yield* open()
    } catch (error) {
      outcome = codeOf(error)
      throw error
    } finally {
      this.#note(call, outcome)
    }
  }

  #note(call: Call, outcome: Outcome): void {
    try {
      this.#journal?.note(call, outcome)
    } catch (error) {
      this.#journal?.failed(error)
    }
  }
}

function codeOf(error: unknown): ErrorCode {
  return isTermError(error) ? error.code : 'internal'
}
