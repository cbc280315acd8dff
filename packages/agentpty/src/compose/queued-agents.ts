/** Composes the agents that wait for others: as whom they are started, here and by the next daemon. */

import { existsSync } from 'node:fs'
import type { QueuedAgents } from '@agentpty/doors/parts'
import type { SeenHost } from '@agentpty/engine/host'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { BoundedMap, type ServerClient, TermError } from '@agentpty/protocol'
import type { QueuedAgentStore } from '@agentpty/protocol/agents'
import type { CallContext, Origin } from '@agentpty/protocol/call'
import type { Paths } from '@agentpty/protocol/home'
import { asPartOf } from '@agentpty/protocol/mcp'
import { type CallerScope, scopeEnded } from '@agentpty/protocol/scope'
import { elsewhere, terminalVariable } from '@agentpty/protocol/session'
import { queuedAgentStore } from '@agentpty/server/agents'
import type { Scopes } from '@agentpty/server/scopes'
import { environmentElsewhere } from './own-host.ts'

export interface QueueParts {
  readonly store: QueuedAgentStore
  /** False: no earlier server has left any. */
  readonly isAny: () => boolean
  readonly host: Pick<SeenHost, 'allSessions'>
  readonly scopeById: (id: string) => CallerScope
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly failed: (error: unknown) => void
}

export function queueParts(
  paths: Pick<Paths, 'queuedAgents'>,
  {
    log,
    scopes,
    ...parts
  }: Pick<QueueParts, 'host' | 'clientOf'> & { readonly scopes: Scopes; readonly log: (text: string) => void },
): QueueParts {
  return {
    ...parts,
    store: queuedAgentStore(paths.queuedAgents, log),
    isAny: () => existsSync(paths.queuedAgents),
    scopeById: (id) => scopes.byId(id),
    failed: (error) => log(`A queued agent: ${String(error)}`),
  }
}

/** Makes the queue. The modules of the door are loaded when an agent is queued, or one is left. */
export async function makeQueue(parts: QueueParts | null): Promise<QueuedAgents> {
  const [{ QueuedAgents }, { startQueued }] = await Promise.all([
    import('@agentpty/doors/parts'),
    import('@agentpty/doors/agents'),
  ])
  if (parts === null) return new QueuedAgents()
  const { store, failed } = parts
  return new QueuedAgents({
    store,
    failed,
    assertStill: (origin) => assertStill(origin, parts),
    goOn: (kept, own) => {
      const { origin } = kept
      const client = asPartOf('spawn_agent', parts.clientOf(contextOf(origin, parts)))
      const door = { clock: systemClock, isoTime, lastRead: new BoundedMap<string, readonly string[]>(1) }
      return startQueued(kept, { ...door, ...own, client, caller: origin.client, origin, isForModel: false })
    },
  })
}

/** Refuses a queued agent whose scope has ended, or whose terminal, with its limits and walls, was closed. */
function assertStill({ scope, terminalId }: Origin, { host, scopeById }: QueueParts): void {
  const own = scope === null ? null : scopeById(scope)
  if (own?.holds() === false) throw scopeEnded(own)
  if (terminalId === null || terminalId === elsewhere) return
  if (host.allSessions.some(({ info }) => info.id === terminalId)) return
  throw new TermError(
    'denied',
    `${terminalId}, from which it was queued, was closed.`,
    'Start it anew with spawn_agent.',
  )
}

/** Returns the caller with the environment of this server: that of the original caller is not written to the disk. */
function contextOf({ client, cwd, scope, terminalId }: Origin, { scopeById }: QueueParts): CallContext {
  const place = terminalId === null ? {} : { [terminalVariable]: terminalId }
  const bounds = scope === null ? {} : { scope: scopeById(scope) }
  return { client, cwd, env: { ...environmentElsewhere(), ...place }, isPerson: false, ...bounds }
}
