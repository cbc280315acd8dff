/**
 * The steps of every call: it has been parsed, it passes the guards, it is done, and its outcome is noted.
 *
 * A guard decides whether a call may go on; it knows no face. Everything that a client can ask of a server passes here:
 * verbs, the streams `follow` and `watch`, and the calls of `control`. A tool of a door calls verbs, and each of these
 * passes.
 */

import type { CallContext } from '../../contracts/call/call-context.ts'
import { type ErrorCode, isTermError } from '../../contracts/errors.ts'
import type { VerbName } from '../../contracts/verbs/index.ts'

export interface Call {
  readonly name: VerbName | 'follow' | 'watch' | 'status' | 'stop'
  /** The parsed input, with defaults. */
  readonly input: unknown
  readonly context: CallContext
}

/** Returns to let the call go on, throws a {@link TermError} to refuse it; while it waits, so does the call. */
export type Guard = (call: Call) => void | Promise<void>

/** Gets each call once it has ended, with `done` or the code of its error. */
export type Journal = (call: Call, outcome: 'done' | ErrorCode) => void

export class Pipeline {
  readonly #guards: readonly Guard[]
  readonly #journal: Journal | null

  /** Guards are asked in their order. */
  constructor(guards: readonly Guard[] = [], journal: Journal | null = null) {
    this.#guards = guards
    this.#journal = journal
  }

  /** Errors: those of a guard, and of the call itself. */
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

  /** The same for a stream, which goes on until its reader stops. */
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
