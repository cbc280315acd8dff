/** Names of terminals: each is unique among the terminals that are there. */

import { nameCharactersMax, TermError } from '@agentpty/protocol'
import { endedClientWords, type SessionInfo } from '@agentpty/protocol/session'

const looksLikeId = /^term-\d+$/i

/** Errors: `invalid_input` for a name that reads like an id. */
export function assertIsName(name: string): void {
  if (!looksLikeId.test(name)) return
  throw new TermError(
    'invalid_input',
    `"${name}" is no name: it looks like the id of a terminal.`,
    'Choose a name that says what the terminal is for.',
  )
}

type Holder = Pick<SessionInfo, 'id' | 'scope' | 'clientEndedAt'>

interface Asked {
  /** Scope of the caller, or of the terminal that gets the name; null without one. */
  readonly scope: string | null
  readonly wall: number
}

/** `holder`: the terminal that has the name; null while it is being opened. */
export function nameTaken(name: string, holder: Holder | null, { scope, wall }: Asked): TermError {
  if (holder === null)
    return new TermError('name_taken', `A terminal named "${name}" is being opened.`, 'Choose another name.')
  if (!isShown(holder, scope))
    return new TermError('name_taken', `A terminal of another scope is named "${name}".`, 'Choose another name.')
  const { id } = holder
  return new TermError(
    'name_taken',
    `${id} is named "${name}"${endedSuffix(holder, wall)}.`,
    `Use it by its id ${id}, close it, or choose another name.`,
  )
}

/** The note for a terminal that got its name with a number. */
export function numberedNote(name: string, own: string, holder: Holder, { scope, wall }: Asked): string {
  if (!isShown(holder, scope)) return `A terminal of another scope is named "${name}", so this one is named "${own}".`
  const { id } = holder
  return `${id} of another client is named "${name}"${endedSuffix(holder, wall)}. This terminal is named "${own}". To use the other one, pass its id ${id}.`
}

/** The name with the first number that is free: `server-2`. */
export function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const candidate = `${name.slice(0, nameCharactersMax - suffix.length)}${suffix}`
    if (isFree(candidate)) return candidate
  }
}

/** A caller with a scope learns nothing about the terminals of others. */
const isShown = (holder: Holder, scope: string | null): boolean => scope === null || holder.scope === scope

function endedSuffix({ clientEndedAt }: Holder, wall: number): string {
  return clientEndedAt === null ? '' : ` (${endedClientWords(clientEndedAt, wall)})`
}
