/** Composes the daemon’s HTTP: MCP, the page, the page for answers, the doors of the gym, and the files that lead programs to it. */

import { homedir } from 'node:os'
import type { DoorRoute } from '@agentpty/doors/parts'
import {
  answerPage,
  answerPath,
  type HttpRoute,
  HttpServer,
  type HttpTree,
  sendJson,
  TextSockets,
} from '@agentpty/mcp-http/http'
import { SocketCarrier } from '@agentpty/mcp-http/page'
import { type Clock, isTermError, type ServerClient, version } from '@agentpty/protocol'
import { answerPageName, type CallContext } from '@agentpty/protocol/call'
import {
  type GymSettings,
  gymDefaults,
  gymIn,
  type OpenEnvSettings,
  type Paths,
  type SweRexSettings,
} from '@agentpty/protocol/home'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { SharedBounds } from '@agentpty/protocol/wire'
import type { EngineContext } from '@agentpty/server/call'
import type { KnownDevices } from '@agentpty/server/devices'
import type { KnownPushes } from '@agentpty/server/push'
import type { Scopes } from '@agentpty/server/scopes'
import {
  announce,
  challengeIn,
  configPath,
  httpToken,
  keepPort,
  lastPort,
  proofOf,
  readConfigFile,
  withdraw,
} from '@agentpty/server/state'
import type { McpFaces } from './mcp.ts'
import { environmentElsewhere } from './own-host.ts'
import { pageOf } from './page.ts'

interface HttpParts {
  readonly mcp: McpFaces
  readonly paths: Paths
  readonly shared: SharedBounds
  readonly scopes: Scopes
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly log: (text: string) => void
}

interface DaemonHttp {
  readonly url: string
  /** A client may return that cannot start the next daemon. */
  readonly isUsed: boolean
  close(): void
}

type ServedEngine = EngineContext & { readonly devices: KnownDevices; readonly pushes: KnownPushes }

/** A caller at the page for answers is a person. */
const personAtPage = () => ({ client: 'page', program: answerPageName, cwd: homedir(), env: {}, isPerson: true })

/** Null when it is turned off. The modules of MCP are loaded when the first client comes. */
export async function openHttp(engine: ServedEngine, parts: HttpParts): Promise<DaemonHttp | null> {
  const { mcp, paths, shared, scopes, clientOf, log } = parts
  const { clock, config, devices, pushes } = engine
  const { httpPort } = config
  if (httpPort === null) return null
  const token = () => {
    const known = httpToken(paths.token)
    engine.secrets?.add(known)
    return known
  }
  const proofFor = (challenge: string | null) =>
    challenge === null ? {} : { proof: proofOf(token(), { challenge, port: http.port }) }
  const health = (url: string) => ({
    status: 'ok',
    version,
    uptime: process.uptime(),
    terminals: engine.host.sessions.length,
    ...proofFor(challengeIn(url)),
  })
  const page = pageOf({ clock, config, devices, shared, clientOf, port: () => http.port })
  const gym = await gymDoors({ clock, configFolder: paths.configFolder, clientOf, log })
  const http: HttpServer = new HttpServer({
    ports: portsFrom(httpPort, lastPort(paths.lastPort)),
    token,
    scopeOf: (given) => scopes.byToken(given),
    shared,
    page: page.route,
    trees: gym.trees,
    routes: new Map<string, HttpRoute>([
      ['/mcp', { serve: (request, response, scope) => mcp.route(request, response, scope) }],
      // Its address is the key: a browser has no token.
      [
        answerPath,
        { serve: answerPage({ questions: engine.questions, client: clientOf(personAtPage()) }), isOpen: true },
      ],
      ['/health', { serve: (request, response) => sendJson(response, 200, health(request.url ?? '/')), isOpen: true }],
    ]),
  })
  await http.listen()
  keepPort(paths.lastPort, http.port)
  devices.servedAt(http.url)
  pushes.start()
  mcp.answeredAt(`${http.url}${answerPath}`)
  return {
    url: http.url,
    get isUsed() {
      return http.wasUsed || page.sockets.wasUsed
    },
    close: () => {
      page.sockets.close()
      gym.close()
      http.close()
    },
  }
}

/** The wanted one first, then the one by which browsers know the page. */
function portsFrom(wanted: number, last: number | null): readonly number[] {
  return [wanted, last ?? 0].filter((port) => port !== 0)
}

/** The files that lead programs to our port, for as long as this process lives. */
export async function putUpSignpost(
  http: DaemonHttp,
  startedAt: string,
  { engine, log }: { readonly engine: EngineContext; readonly log: (text: string) => void },
) {
  const { clock, config, home: instanceHome } = engine
  // An instance with a home of its own does not write the user's files, unless its configuration says so.
  if (!(config.portFile ?? instanceHome === null)) return null
  const home = homedir()
  const served = { port: Number(new URL(http.url).port), pid: process.pid, startedAt, version }
  const states = await announce(served, home, clock)
  for (const { path, kind, detail } of states) if (kind === 'failed') log(`${path} is not written: ${detail}`)
  let isUp = true
  const takeDown = () => {
    if (isUp) withdraw(served, home)
    isUp = false
  }
  // Runs however the process ends: the port is still ours then, and so are the files that name it.
  process.once('exit', takeDown)
  return { states, takeDown }
}

interface GymDoorsParts extends Pick<HttpParts, 'clientOf' | 'log'> {
  readonly clock: Clock
  readonly configFolder: Paths['configFolder']
}

interface Opened {
  readonly tree: HttpTree
  close(): void
}

/** Opens the doors that the current settings name, and loads their modules. With invalid settings all are shut, and the log has the reason. */
async function gymDoors(parts: GymDoorsParts) {
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

/** The caller for a program's environments: it has no person, no folder and no terminal. */
function callerOf(client: string, system: string): CallContext {
  const program = `a client (${system} over HTTP)`
  return { client, program, cwd: homedir(), env: environmentElsewhere(), isPerson: false }
}

/** Refuses callers with a scope: they see only their own terminals and make no environments. */
function unscoped(serve: DoorRoute): HttpRoute['serve'] {
  return (request, response, scope: CallerScope | null) =>
    scope === null ? serve(request, response) : sendJson(response, 403, { error: scoped, detail: scoped.message })
}

const scoped = {
  code: 'denied',
  message: 'A token that sees only its own terminals makes no environments.',
  hint: 'Use the token of: agentpty token',
}
