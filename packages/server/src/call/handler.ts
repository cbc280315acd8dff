/** Handlers carry out verbs, after their input was checked and the guards allowed the call. */

import type { SeenHost } from '@agentpty/engine/host'
import type { Clock, ServerClient } from '@agentpty/protocol'
import type { Agents } from '@agentpty/protocol/agents'
import type { ApprovalQueue } from '@agentpty/protocol/approvals'
import type { TerminalRecords } from '@agentpty/protocol/audit'
import type { CallContext, PermittedContext } from '@agentpty/protocol/call'
import type { Environments } from '@agentpty/protocol/gym'
import type { Config } from '@agentpty/protocol/home'
import type { Need } from '@agentpty/protocol/needs'
import type { Devices } from '@agentpty/protocol/page'
import type { Pipelines } from '@agentpty/protocol/pipelines'
import type { Questions } from '@agentpty/protocol/questions'
import type { KeptRecordings } from '@agentpty/protocol/recording'
import type { Walls } from '@agentpty/protocol/sandbox'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { OverviewEvent } from '@agentpty/protocol/session'
import type { ParsedVerbInput, TypingVerb, VerbName, VerbOutput } from '@agentpty/protocol/verbs'

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
  /** A scope that holds now, by its name. */
  readonly scopeNamed: (name: string) => CallerScope | null
  readonly environments: Environments
  /** The records of past calls; null without a journal. */
  readonly journal: TerminalRecords | null
  /** Recordings on the disk; null where nothing is recorded. */
  readonly recordings: KeptRecordings | null
  /** Browsers that may open the page; null where there is no page. */
  readonly devices: Devices | null
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
