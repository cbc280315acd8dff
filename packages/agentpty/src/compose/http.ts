/** Composes the daemon’s HTTP: MCP, the page, the page for answers, the doors of the gym, and the files that lead programs to it. */

import { homedir } from 'node:os'
import { answerPage, answerPath, type HttpRoute, HttpServer, sendJson } from '@agentpty/mcp-http/http'
import { type ServerClient, version } from '@agentpty/protocol'
import { answerPageName, type CallContext } from '@agentpty/protocol/call'
import type { Paths } from '@agentpty/protocol/home'
import type { SharedBounds } from '@agentpty/protocol/wire'
import type { EngineContext } from '@agentpty/server/call'
import type { KnownDevices } from '@agentpty/server/devices'
import type { Scopes } from '@agentpty/server/scopes'
import { announce, challengeIn, httpToken, keepPort, lastPort, proofOf, withdraw } from '@agentpty/server/state'
import { gymDoors } from './gym-doors.ts'
import type { McpFaces } from './mcp.ts'
import { pageOf } from './page.ts'

export interface HttpParts {
  readonly mcp: McpFaces
  readonly paths: Paths
  readonly shared: SharedBounds
  readonly scopes: Scopes
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly log: (text: string) => void
}

export interface DaemonHttp {
  readonly url: string
  /** Somebody may come back who could not start the next daemon. */
  readonly isUsed: boolean
  close(): void
}

type ServedEngine = EngineContext & { readonly devices: KnownDevices }

/** Who opens the page for answers is a person. */
const personAtPage = () => ({ client: 'page', program: answerPageName, cwd: homedir(), env: {}, isPerson: true })

/** Null when it is turned off. The modules of MCP are loaded when the first client comes. */
export async function openHttp(engine: ServedEngine, parts: HttpParts): Promise<DaemonHttp | null> {
  const { mcp, paths, shared, scopes, clientOf, log } = parts
  const { clock, config, devices } = engine
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
