/** The server that clients are offered, from the request and our own command or address. */

import type { ToolsetName } from '@agentpty/protocol/mcp'
import { type OfferedServer, type ServerWay, serverNameOf } from '@agentpty/protocol/setup'

export interface HttpAddress {
  /** Without a path. */
  readonly url: string
  readonly token: string
  /** The configured port. */
  readonly wantedPort: number
}

/** With an `address` clients are given that, without one the command and the variables that lead to this instance. */
export function offeredServer(
  { command, env }: Omit<Extract<ServerWay, { kind: 'stdio' }>, 'kind'>,
  toolsets: readonly ToolsetName[] | null,
  address: HttpAddress | null,
): OfferedServer {
  const name = serverNameOf(toolsets)
  const isOwnAlone = toolsets === null || (toolsets.length === 1 && toolsets[0] === 'terminal')
  const names = isOwnAlone ? null : toolsets.join(',')
  if (address === null) {
    const more = names === null ? [] : ['--toolset', names]
    return { name, way: { kind: 'stdio', command: [...command, 'mcp', ...more], env }, note: '' }
  }
  const { url, token, wantedPort } = address
  const query = names === null ? '' : `?toolset=${names}`
  const isLasting = Number(new URL(url).port) === wantedPort
  const note = `This address holds until the daemon ends: ${wantedPort === 0 ? 'httpPort is 0' : `port ${wantedPort} was taken`}.`
  return { name, way: { kind: 'http', url: `${url}/mcp${query}`, token }, note: isLasting ? '' : note }
}
