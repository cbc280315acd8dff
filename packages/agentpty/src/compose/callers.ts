/** Who a connection over the socket is, and what it sees at most. */

import type { CallContext } from '../contracts/call/call-context.ts'
import { TermError } from '../contracts/errors.ts'
import type { CallerScope } from '../contracts/scope/scope.ts'
import { terminalVariable } from '../contracts/session/own-terminal.ts'
import type { ClientHello } from '../contracts/wire/handshake.ts'
import type { EngineContext } from '../features/verbs/steps/engine-context.ts'
import type { Scopes } from '../home/scope-tokens.ts'

export interface Callers {
  /** Why it is not served; null when it is. */
  readonly refuse: (hello: ClientHello) => TermError | null
  readonly of: (hello: ClientHello) => CallContext
}

export function callersOf({ host }: EngineContext, scopes: Scopes, ownToken: () => string): Callers {
  const isOwn = (token: string) => token === ownToken()
  /** By its token, else by the terminal that it runs in: who has no token is no more than what it was started by. */
  const scopeOf = ({ token, env }: ClientHello): CallerScope | null => {
    if (token !== undefined) return isOwn(token) ? null : scopes.byToken(token)
    const own = host.sessions.find(({ info }) => info.id === env[terminalVariable])
    return own === undefined || own.info.scope === null ? null : scopes.byId(own.info.scope)
  }
  return {
    refuse: (hello) =>
      hello.token === undefined || isOwn(hello.token) || scopes.byToken(hello.token) !== null ? null : unknownToken(),
    of: ({ token, ...hello }) => {
      const scope = scopeOf(token === undefined ? hello : { ...hello, token })
      // It counted a moment ago: who has lost it meanwhile sees nothing.
      if (scope === null && token !== undefined && !isOwn(token)) return { ...hello, scope: nothing }
      return scope === null ? hello : { ...hello, scope, isPerson: false }
    },
  }
}

const nothing: CallerScope = { id: '', name: '', holds: () => false }

function unknownToken(): TermError {
  return new TermError(
    'denied',
    'The token in AGENTPTY_TOKEN is none, was revoked or has expired.',
    'Ask the person for a new one (agentpty token --scope NAME), or leave the variable out.',
  )
}
