import type { CallContext } from './call-context.ts'

/** It is not exported, so only a cast makes a permit; `tidy` allows the cast in `server/call/pipeline.ts` alone. */
declare const issued: unique symbol

/**
 * The right of one call to type. The pipeline issues it when the verb's record says that the verb types, and after the guards have let the call
 * go on. A keyboard takes no bytes without it.
 */
export interface Permit {
  readonly [issued]: true
  readonly context: CallContext
}

/** The context that the handlers of typing verbs get. */
export interface PermittedContext extends CallContext {
  readonly permit: Permit
}
