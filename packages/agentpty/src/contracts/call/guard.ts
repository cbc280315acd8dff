/** What stands between a call and its handler. */

import type { ParsedVerbInput, VerbName } from '../verbs/index.ts'
import type { CallContext } from './call-context.ts'

export interface Call {
  readonly name: VerbName | 'follow' | 'watch' | 'status' | 'stop'
  /** The parsed input, with defaults. */
  readonly input: unknown
  readonly context: CallContext
}

/** Returns to let the call go on, throws a {@link TermError} to refuse it; while it waits, so does the call. */
export type Guard = (call: Call) => void | Promise<void>

/** Its input is what the verb’s schema has made of it: a call is parsed before any guard sees it. */
export function isOfVerb<Name extends VerbName>(
  call: Call,
  name: Name,
): call is Call & { readonly name: Name; readonly input: ParsedVerbInput<Name> } {
  return call.name === name
}
