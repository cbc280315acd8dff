/**
 * What an agent types into a terminal of an environment that it plays by itself. Nothing of this machine can be harmed in there, so nothing is
 * judged; it is noted, unless it is a secret. Steps that somebody takes for it are told by whoever takes them, and wait for nothing.
 */

import type { Host } from '@agentpty/engine/host'
import type { Call } from '@agentpty/protocol/call'
import { isTypingVerb } from '@agentpty/protocol/verbs'
import { judgementOf, nothingFound } from '@agentpty/shell-policy'
import type { JudgedCall } from './judge-start.ts'
import { readerOf } from './reader.ts'
import { typedBy } from './typing.ts'

/** What the journal is told of a judged call. */
export type Noted = Pick<JudgedCall, 'judgement' | 'profile' | 'text' | 'isSecret' | 'cwd'> & {
  /** How many bytes are typed; null where nobody may know it. */
  readonly bytes: number | null
}

/** Null for every other call. Errors: `unknown_key`. */
export function typedInside(
  { name, input, context, typesInto: terminalId }: Call,
  host: Pick<Host, 'known'>,
): Promise<Noted> | null {
  if (context.scope === undefined || context.isPerson === true || terminalId === undefined || !isTypingVerb(name))
    return null
  const session = host.known(terminalId)
  if (session === null || session.info.environment === null) return null
  const text = typedBy(name, input, session)
  return Promise.resolve(readerOf(session)).then(({ kind }) => {
    const isSecret = kind === 'secret' || name === 'secret'
    const shown = isSecret ? { text: '', bytes: null } : { text, bytes: Buffer.byteLength(text) }
    return { judgement: judgementOf(nothingFound, 'trusted'), profile: null, isSecret, cwd: context.cwd, ...shown }
  })
}
