/**
 * The way of every call: it has been parsed, it passes the guards, it is done, and how it ended is noted.
 *
 * A guard decides whether a call may go on; it knows no face. All that a client can ask of a server goes this way: verbs, the
 * streams `follow` and `watch`, and what `control` asks of the server itself. A tool of a door is made of verbs, each of which does.
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

/** Is given each call once it has ended: `done`, or the code of its error. */
export type Journal = (call: Call, outcome: 'done' | ErrorCode) => void

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
    try {
      // Without a guard nothing is awaited: calls begin in the order in which they are made.
      for (const guard of this.#guards) await guard(call)
      const result = await handle()
      this.#journal?.(call, 'done')
      return result
    } catch (error) {
      this.#journal?.(call, codeOf(error))
      throw error
    }
  }

  /** The same for what goes on until nobody asks for more. */
  async *stream<Item>(call: Call, open: () => AsyncIterable<Item>): AsyncGenerator<Item, void> {
    let outcome: 'done' | ErrorCode = 'done'
    try {
      for (const guard of this.#guards) await guard(call)
      yield* open()
    } catch (error) {
      outcome = codeOf(error)
      throw error
    } finally {
      this.#journal?.(call, outcome)
    }
  }
}

function codeOf(error: unknown): ErrorCode {
  return isTermError(error) ? error.code : 'internal'
}
