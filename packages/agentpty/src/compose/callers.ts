/** The identity of a connection over the socket, and the most that it sees. */

import type { Socket } from 'node:net'
import { environmentAbove, placeOf } from '@agentpty/engine/ptyhost'
import { systemClock } from '@agentpty/engine/system-clock'
import { TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { Paths } from '@agentpty/protocol/home'
import type { CallerScope } from '@agentpty/protocol/scope'
import { elsewhere, lineageVariable, terminalVariable } from '@agentpty/protocol/session'
import type { ClientHello } from '@agentpty/protocol/wire'
import type { EngineContext } from '@agentpty/server/call'
import { Peers } from '@agentpty/server/daemon'
import type { Scopes } from '@agentpty/server/scopes'
import { httpToken } from '@agentpty/server/state'
import { hostProgram } from './own-host.ts'

export interface Callers {
  /** Replaces the terminal that the client claims by the actual one, or returns why the client is refused. */
  readonly admit: (socket: Socket, hello: ClientHello) => Promise<ClientHello | TermError>
  readonly of: (hello: ClientHello) => CallContext
}

export interface CallersParts {
  readonly scopes: Scopes
  readonly paths: Pick<Paths, 'token'>
  readonly hostPid: number
  /** Null: the process is unknown. */
  readonly pidOf: (socket: Socket) => Promise<number | null>
}

/** Only Linux shows what is above a process and in its environment. */
export async function peersHere(): Promise<CallersParts['pidOf']> {
  if (process.platform !== 'linux') return async () => null
  const peers = new Peers([await hostProgram(), '--peers'], systemClock)
  return (socket) => peers.pidOf(socket)
}

export function callersOf({ host }: EngineContext, { scopes, paths, hostPid, pidOf }: CallersParts): Callers {
  const isOwn = (token: string) => token === httpToken(paths.token)
  /** Returns the scope of the terminal that the client runs in, whatever token it has: a program never exceeds its parent. Else that of its token. */
  const scopeOf = ({ token, env }: ClientHello): CallerScope | null => {
    const own = host.sessions.find(({ info }) => info.id === env[terminalVariable])
    if (own !== undefined && own.info.scope !== null) return scopes.byId(own.info.scope)
    return token === undefined || isOwn(token) ? null : scopes.byToken(token)
  }
  return {
    admit: async (socket, hello) => {
      const { token } = hello
      if (token !== undefined && !isOwn(token) && scopes.byToken(token) === null) return unknownToken()
      const pid = await pidOf(socket)
      // Where the system does not show it, there is only its word: that can take rights away, and adds none.
      if (pid === null) return hello
      const place = placeOf(pid, { hostPid, sessions: host.sessions })
      if (place === 'gone') return goneCaller()
      // Agents keep variables from their servers. Who is started through one is to find what its agent has: the keys of its provider, say.
      const isServer = hello.face === 'mcp' && place.terminalId !== null
      const env = isServer ? { ...environmentAbove(pid), ...hello.env } : hello.env
      return { ...hello, env: withPlace(env, place.terminalId) }
    },
    of: ({ token, ...hello }) => {
      const scope = scopeOf(token === undefined ? hello : { ...hello, token })
      // It counted a moment ago: a caller that has lost it meanwhile sees nothing.
      if (scope === null && token !== undefined && !isOwn(token)) return { ...hello, scope: nothing }
      return scope === null ? hello : { ...hello, scope, isPerson: false }
    },
  }
}

/** A program that names a terminal is no person, also when that is none of ours. */
function withPlace(env: ClientHello['env'], terminalId: string | null): ClientHello['env'] {
  const { [terminalVariable]: claimed, [lineageVariable]: _, ...rest } = env
  if (terminalId !== null) return { ...rest, [terminalVariable]: terminalId }
  return claimed === undefined ? rest : { ...rest, [terminalVariable]: elsewhere }
}

const nothing: CallerScope = { id: '', name: '', holds: () => false }

/** Refuses a client whose process is gone: it could be inside a terminal whose limits apply to it. */
function goneCaller(): TermError {
  return new TermError(
    'denied',
    'The process that has connected is gone, so the terminal it ran in is not known.',
    'Connect from a process that goes on until it has its answer.',
  )
}

function unknownToken(): TermError {
  return new TermError(
    'denied',
    'The token in AGENTPTY_TOKEN is none, was revoked or has expired.',
    'Ask the person for a new one (agentpty token --scope NAME), or leave the variable out.',
  )
}
