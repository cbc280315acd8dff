/**
 * The steps of every call: it has been parsed, it passes the guards, it is done, and its outcome is noted.
 *
 * A guard decides whether a call may go on; it knows no face. Everything that a client can ask of a server passes here:
 * verbs, the streams `follow` and `watch`, and the calls of `control`. A tool of a door calls verbs, and each of these
 * passes.
 */

import { type ErrorCode, isTermError, TermError } from '@agentpty/protocol'
import type { Call, Guard, Journal, Outcome, Permit } from '@agentpty/protocol/call'
import type { Questions } from '@agentpty/protocol/questions'
import { terminalVariable } from '@agentpty/protocol/session'
import { isTypingVerb, isVerbName, type ParsedVerbInput, type VerbName, verbs } from '@agentpty/protocol/verbs'

export class Pipeline {
  readonly #guards: readonly Guard[]
  readonly #journal: Journal | null

  /** Guards are asked in their order, after the one of callers. */
  constructor(guards: readonly Guard[] = [], journal: Journal | null = null) {
    this.#guards = [callerGuard, ...guards]
    this.#journal = journal
  }

  /** Errors: those of a guard, and of the call itself. */
  async run<Result>(call: Call, handle: (permit: Permit | null) => Promise<Result>): Promise<Result> {
    let outcome: Outcome = 'done'
    let result: Result | undefined
    try {
      // A guard with nothing to wait for is not awaited: calls start in the order in which they are made.
      for (const guard of this.#guards) {
        const asked = guard(call)
        if (asked !== undefined) await asked
      }
      result = await handle(permitFor(call))
      return result
    } catch (error) {
      outcome = codeOf(error)
      throw error
    } finally {
      this.#note(call, outcome, result)
    }
  }

  /** Runs the guards before a stream, which continues until its reader stops. */
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

  #note(call: Call, outcome: Outcome, result?: unknown): void {
    try {
      this.#journal?.note(call, outcome, result)
    } catch (error) {
      this.#journal?.failed(error)
    }
  }
}

/** The only place that makes permits. */
function permitFor({ name, context }: Call): Permit | null {
  return isTypingVerb(name) ? ({ context } as Permit) : null
}

function codeOf(error: unknown): ErrorCode {
  return isTermError(error) ? error.code : 'internal'
}

/** Keeps verbs for persons away from programs, by the verb's record. Errors: `denied`. */
const callerGuard: Guard = ({ name, context }) => {
  if (!isVerbName(name)) return
  const { safety, title, words } = verbs[name]
  const { callers } = safety
  if (callers !== 'outside' && callers !== 'person') return
  const hint = `A person does that in a terminal of their own: ${words.cli}`
  if (context.env[terminalVariable] !== undefined)
    throw new TermError(
      'denied',
      `"${title}" is refused inside a terminal of agentpty: a program that asks must not answer itself.`,
      hint,
    )
  if (callers === 'person' && context.isPerson !== true)
    throw new TermError('denied', `"${title}" is for persons.`, `${hint}. Ask yours with terminal_ask_person.`)
}

/** Finds it as the verb's record says. Undefined for verbs that do not type, for a run that opens a terminal, and for a closed question. */
export function typesInto<Name extends VerbName>(
  name: Name,
  input: ParsedVerbInput<Name>,
  questions: Pick<Questions, 'find'>,
): string | undefined {
  const { types } = verbs[name].safety
  const named = input as { readonly terminalId?: string; readonly questionId?: string }
  if (types === 'questionId')
    return named.questionId === undefined ? undefined : questions.find(named.questionId)?.terminalId
  return types === null ? undefined : named.terminalId
}
