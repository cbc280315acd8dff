/** Who opened whom. */

import { basename } from 'node:path'
import { shownText } from '@agentpty/protocol/approvals'
import type { SessionInfo } from '@agentpty/protocol/session'

const chainMax = 32
const programCharactersMax = 60

interface KnownSessions {
  readonly sessions: readonly { readonly info: Pick<SessionInfo, 'id' | 'parent' | 'argv'> }[]
}

/** The terminals through which one was opened, the outermost first, itself included. None for null. */
export function chainTo({ sessions }: KnownSessions, terminalId: string | null): readonly string[] {
  const chain: string[] = []
  for (let id = terminalId; id !== null && chain.length < chainMax && !chain.includes(id); ) {
    chain.unshift(id)
    const above = sessions.find(({ info }) => info.id === id)
    id = above?.info.parent ?? null
  }
  return chain
}

/** The same for persons, with what runs in each: `claude in term-1`; a terminal that is gone by its id. */
export function inWords({ sessions }: KnownSessions, chain: readonly string[]): string[] {
  return chain.map((id) => {
    const [program] = sessions.find(({ info }) => info.id === id)?.info.argv ?? []
    return program === undefined
      ? id
      : `${shownText(basename(program), programCharactersMax).replaceAll('\n', ' ')} in ${id}`
  })
}
