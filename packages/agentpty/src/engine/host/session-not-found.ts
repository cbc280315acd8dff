import { TermError } from '../../contracts/errors.ts'
import type { SessionInfo } from '../../contracts/session/session-info.ts'

const listedMax = 20

/** `sessions`: those that the caller sees. `why`: what has closed it, where that was not a caller. */
export function sessionNotFound(
  idOrName: string,
  sessions: readonly { readonly info: SessionInfo }[],
  why?: string,
): TermError {
  const open = sessions.map(({ info }) => (info.name === null ? info.id : `${info.id} (${info.name})`))
  const listed = open.length > listedMax ? [...open.slice(0, listedMax), `and ${open.length - listedMax} more`] : open
  return new TermError(
    'session_not_found',
    `No terminal "${idOrName}"${why === undefined ? '' : `: it was ${why}`}.`,
    listed.length > 0 ? `Open: ${listed.join(', ')}.` : 'None is open: start with terminal_create.',
  )
}
