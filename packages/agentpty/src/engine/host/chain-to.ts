/** Who opened whom. */

import type { SessionInfo } from '../../contracts/session/session-info.ts'

const chainMax = 32

/** The terminals through which one was opened, the outermost first, itself included. None for null. */
export function chainTo(
  { sessions }: { readonly sessions: readonly { readonly info: Pick<SessionInfo, 'id' | 'parent'> }[] },
  terminalId: string | null,
): readonly string[] {
  const chain: string[] = []
  for (let id = terminalId; id !== null && chain.length < chainMax && !chain.includes(id); ) {
    chain.unshift(id)
    const above = sessions.find(({ info }) => info.id === id)
    id = above?.info.parent ?? null
  }
  return chain
}
