/** The error for a terminal that is not there. It lists the terminals that are, those of the caller first. */

import { firstFew, TermError } from '@agentpty/protocol'
import type { SessionInfo } from '@agentpty/protocol/session'

type Sessions = readonly { readonly info: Pick<SessionInfo, 'id' | 'name' | 'createdBy' | 'mcpClient'> }[]

export class SessionNotFound extends TermError {
  readonly #sessions: Sessions

  /** `sessions`: those that the caller sees. `why`: what has closed it, where that was not a caller. */
  constructor(idOrName: string, sessions: Sessions, why?: string) {
    super(
      'session_not_found',
      `No terminal "${idOrName}"${why === undefined ? '' : `: it was ${why}`}.`,
      hintOf(sessions),
    )
    this.#sessions = sessions
  }

  /** The same error, with the terminals of this client listed first. */
  forClient(client: string): TermError {
    const isOwn = ({ info }: Sessions[number]) => info.createdBy === client || info.mcpClient === client
    const own = this.#sessions.filter(isOwn)
    const others = this.#sessions.filter((one) => !isOwn(one))
    return new TermError(this.code, this.message, hintOf([...own, ...others]))
  }
}

function hintOf(sessions: Sessions): string {
  if (sessions.length === 0) return 'None is open: start with terminal_create.'
  return `Open: ${firstFew(sessions.map(({ info: { id, name } }) => (name === null ? id : `${id} (${name})`)))}.`
}
