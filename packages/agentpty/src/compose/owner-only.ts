/**
 * Guards the instance's own files, which commands read and write without the daemon. They are the user's, and no daemon stands before them that would
 * judge who asks, so a caller with the token of a scope is refused here.
 */

import type { OwnerOnly } from '@agentpty/cli'
import { TermError } from '@agentpty/protocol'

type Access = (...given: never[]) => unknown
type OwnerAccess<Files> = {
  readonly [Name in keyof Files]: Files[Name] extends Access ? OwnerOnly<Files[Name]> : never
}

/**
 * Makes each function refuse a caller that `isOwner` does not know. Errors: `denied`.
 *
 * `isOwner` is asked at each call: a token may be revoked meanwhile.
 */
export function ownerOnly<Files extends Readonly<Record<string, Access>>>(
  files: Files,
  isOwner: () => boolean,
): OwnerAccess<Files> {
  const guarded = Object.entries(files).map(([name, access]) => [
    name,
    (...given: never[]) => {
      if (!isOwner()) throw refused()
      return access(...given)
    },
  ])
  // The names and types are those of `files`; the mark has no value.
  return Object.fromEntries(guarded) as OwnerAccess<Files>
}

function refused(): TermError {
  return new TermError(
    'denied',
    'The token in AGENTPTY_TOKEN bounds this caller to its own terminals, and this command reads or writes files of the whole instance.',
    'A person does it without the token: env -u AGENTPTY_TOKEN agentpty …',
  )
}
