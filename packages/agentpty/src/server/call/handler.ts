/** What carries a verb out: its input has been checked, and guards have let it go on. */

import type { CallContext } from '../../contracts/call/call-context.ts'
import type { PermittedContext } from '../../contracts/call/permit.ts'
import type { ServerClient } from '../../contracts/server-client.ts'
import type { ParsedVerbInput, VerbName, VerbOutput } from '../../contracts/verbs/index.ts'
import type { TypingVerb } from '../../contracts/verbs/typing-verbs.ts'
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
