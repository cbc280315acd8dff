/** Composes the doors of the gym that are open over HTTP, as the settings say. Their modules are loaded where one is. */

import { homedir } from 'node:os'
import type { DoorRoute } from '@agentpty/doors/parts'
import { type HttpRoute, type HttpTree, sendJson, TextSockets } from '@agentpty/mcp-http/http'
import { SocketCarrier } from '@agentpty/mcp-http/page'
import { type Clock, isTermError, type ServerClient, version } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import {
  type GymSettings,
  gymDefaults,
  gymIn,
  type OpenEnvSettings,
  type Paths,
  type SweRexSettings,
} from '@agentpty/protocol/home'
import type { CallerScope } from '@agentpty/protocol/scope'
import { withoutOwnTerminal } from '@agentpty/protocol/session'
import { configPath, readConfigFile } from '@agentpty/server/state'

export interface GymDoorsParts {
  readonly clock: Clock
  readonly configFolder: Paths['configFolder']
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly log: (text: string) => void
}

export interface GymDoors {
  readonly trees: readonly HttpTree[]
  close(): void
}

interface Opened {
  readonly tree: HttpTree
  close(): void
}

/** By the settings as they are now; where they are wrong all are shut, and the log tells. */
export async function gymDoors(parts: GymDoorsParts): Promise<GymDoors> {
  const { openenv, swerex } = settingsIn(parts)
  const opened = [
    ...(openenv === null ? [] : [await openEnv(openenv, parts)]),
    ...(swerex === null ? [] : [await sweRex(swerex, parts)]),
  ]
  return {
    trees: opened.map(({ tree }) => tree),
    close: () => {
      for (const one of opened) one.close()
    },
  }
}

function settingsIn({ configFolder, log }: GymDoorsParts): GymSettings {
  try {
    return gymIn(readConfigFile(configPath(configFolder)))
  } catch (error) {
    if (!isTermError(error)) throw error
    log(`The settings of the gym do not count: ${error.message}`)
    return gymDefaults
  }
}

async function openEnv(settings: OpenEnvSettings, { clock, clientOf, log }: GymDoorsParts): Promise<Opened> {
  const { OpenEnv } = await import('@agentpty/gym/openenv')
  const door = new OpenEnv({ clock, settings, version, log, clientOf: (name) => clientOf(callerOf(name, 'OpenEnv')) })
  const sockets = new TextSockets({
    carry: (web, socket) => new SocketCarrier(web, socket),
    open: (carrier) => door.converse(carrier),
  })
  const prefix = '/gym/openenv'
  const tokenPlaces = ['bearer', 'basic'] as const
  const routeOf = (path: string): HttpRoute | undefined => {
    const route = path.startsWith(`${prefix}/`) ? door.routeOf(path.slice(prefix.length)) : undefined
    if (route === undefined) return undefined
    const { serve, isOpen } = route
    return isOpen ? { serve, isOpen } : { serve: unscoped(serve), tokenPlaces }
  }
  const upgrade = { path: `${prefix}/ws`, serve: sockets.upgrade.bind(sockets), tokenPlaces }
  return { tree: { routeOf, upgrades: [upgrade] }, close: () => sockets.close() }
}

async function sweRex(settings: SweRexSettings, { clock, clientOf, log }: GymDoorsParts): Promise<Opened> {
  const { SweRex } = await import('@agentpty/gym/swerex')
  const door = new SweRex({ clock, settings, log, clientOf: (name) => clientOf(callerOf(name, 'SWE-ReX')) })
  const prefix = '/gym/swerex'
  const routeOf = (path: string): HttpRoute | undefined => {
    const isOurs = path === prefix || path.startsWith(`${prefix}/`)
    const serve = isOurs ? door.routeOf(path.slice(prefix.length) || '/') : undefined
    return serve === undefined ? undefined : { serve: unscoped(serve), tokenPlaces: ['x-api-key', 'bearer'] }
  }
  return { tree: { routeOf, upgrades: [] }, close: () => {} }
}

/** What a program does with its environments it does as nobody in particular: there is no person, no folder and no terminal around it. */
function callerOf(client: string, system: string): CallContext {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const env = withoutOwnTerminal(Object.fromEntries(set))
  return { client, program: `a client (${system} over HTTP)`, cwd: homedir(), env, isPerson: false }
}

/** Who sees only its own terminals makes no environments. */
function unscoped(serve: DoorRoute): HttpRoute['serve'] {
  return (request, response, scope: CallerScope | null) =>
    scope === null ? serve(request, response) : sendJson(response, 403, { error: scoped, detail: scoped.message })
}

const scoped = {
  code: 'denied',
  message: 'A token that sees only its own terminals makes no environments.',
  hint: 'Use the token of: agentpty token',
}
