/** Handlers carry out verbs, after their input was checked and the guards allowed the call. */

import type { SeenHost } from '@agentpty/engine/host'
import { type Clock, type ErrorCode, isTermError, type ServerClient, TermError } from '@agentpty/protocol'
import type { Agents } from '@agentpty/protocol/agents'
import type { ApprovalQueue } from '@agentpty/protocol/approvals'
import type { TerminalRecords } from '@agentpty/protocol/audit'
import type { Call, CallContext, Guard, Journal, Outcome, Permit, PermittedContext } from '@agentpty/protocol/call'
import type { Gates } from '@agentpty/protocol/effects'
import type { Environments } from '@agentpty/protocol/gym'
import type { Config } from '@agentpty/protocol/home'
import type { Need } from '@agentpty/protocol/needs'
import type { Devices, Pushes } from '@agentpty/protocol/page'
import type { Pipelines } from '@agentpty/protocol/pipelines'
import type { Questions } from '@agentpty/protocol/questions'
import type { KeptRecordings } from '@agentpty/protocol/recording'
import type { Walls } from '@agentpty/protocol/sandbox'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { type OverviewEvent, terminalVariable } from '@agentpty/protocol/session'
import {
  isTypingVerb,
  isVerbName,
  type ParsedVerbInput,
  type TypingVerb,
  type VerbName,
  type VerbOutput,
  verbs,
} from '@agentpty/protocol/verbs'

/** Only a verb whose record says that it types gets a permit. */
export type HandlerContext<Name extends VerbName> = Name extends TypingVerb ? PermittedContext : CallContext

/** Errors: any {@link TermError} of the verb. */
export type Handler<Name extends VerbName> = (
  engine: EngineContext,
  input: ParsedVerbInput<Name>,
  context: HandlerContext<Name>,
  /** Calls another verb as a part of this one, for the same caller: it passes the guards as any call does. */
  call: ServerClient['call'],
) => Promise<VerbOutput<Name>>

export type Handlers = { readonly [Name in VerbName]: Handler<Name> }

/** The parts of the server that the handlers of verbs use. */
export interface EngineContext {
  /** The terminals that the caller sees. */
  readonly host: SeenHost
  readonly clock: Clock
  readonly questions: Questions
  readonly approvals: ApprovalQueue
  readonly overview: Overview
  /** Masked in what leaves; null where the caller is the program itself, and no model. */
  readonly secrets: SecretValues | null
  readonly agents: Agents
  readonly pipelines: Pipelines
  readonly walls: Walls
  readonly gates: Gates
  /** A scope that holds now, by its name. */
  readonly scopeNamed: (name: string) => CallerScope | null
  readonly environments: Environments
  /** The records of past calls; null without a journal. */
  readonly journal: TerminalRecords | null
  /** Recordings on the disk; null where nothing is recorded. */
  readonly recordings: KeptRecordings | null
  /** Browsers that may open the page; null where there is no page. */
  readonly devices: Devices | null
  /** The devices that get push notifications; null where there is no page. */
  readonly pushes: Pushes | null
  readonly shellScripts: string
  /** The files of fonts that pictures are drawn with, ours first. */
  readonly fonts: () => readonly string[]
  /** AGENTPTY_HOME of this instance; null with the XDG folders. */
  readonly home: string | null
  readonly config: Config
}

/** Returns the secrets to mask for a caller; null for a person, who sees everything. */
export function secretsFor({ secrets }: EngineContext, { isPerson }: CallContext): SecretValues | null {
  return isPerson === true ? null : secrets
}

export interface Overview {
  /** First all terminals, then changes, gathered for a moment. */
  watch(scope: CallerScope | undefined, signal?: AbortSignal): AsyncGenerator<OverviewEvent, void>
  /** The needs of now, the newest last. */
  needs(scope: CallerScope | undefined): Promise<readonly Need[]>
  /** Whether the program still asks for this confirmation, in the same words. */
  stillAsks(needId: string): boolean
  /** Takes a failure off the list. Errors: `not_asking` when it is not on it. */
  dismiss(needId: string, scope: CallerScope | undefined): void
}

/**
 * The steps of every call: it has been parsed, it passes the guards, it is done, and its outcome is noted.
 *
 * A guard decides whether a call may go on; it knows no face. Everything that a client can ask of a server passes here:
 * verbs, the streams `follow` and `watch`, and the calls of `control`. A tool of a door calls verbs, and each of these
 * passes.
 */
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
