/** What carries a verb out: its input has been checked, and guards have let it go on. */

import type { ServerClient } from '@agentpty/protocol'
import type { CallContext, PermittedContext } from '@agentpty/protocol/call'
import type { ParsedVerbInput, TypingVerb, VerbName, VerbOutput } from '@agentpty/protocol/verbs'
import type { EngineContext } from './engine-context.ts'

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
