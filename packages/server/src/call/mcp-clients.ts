/** Connected MCP clients. The terminals of one that ends are marked, and closed after the configured time unless it connects again. */

import type { Host } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Millis, Stop } from '@agentpty/protocol'
import type { Agents } from '@agentpty/protocol/agents'
import type { Call } from '@agentpty/protocol/call'

export interface McpClientsOptions {
  readonly clock: Clock
  readonly host: Pick<Host, 'sessions' | 'known' | 'noteClient' | 'close'>
  readonly agents: Pick<Agents, 'glance'>
  /** How long terminals stay after the end of their client; null: for good. */
  readonly keptMs: Millis | null
  /** Called with the client when its last connection has ended. */
  readonly ended: (client: string) => void
  /** Clients whose open approvals an earlier daemon has left. */
  readonly asking: () => readonly string[]
}

/** How long clients of an earlier daemon may take to connect again, and how often due terminals are closed. */
const sweepMs = 60_000
const verdictMs = 1_000

export class McpClients {
  readonly #options: McpClientsOptions
  /** Connections of each client. */
  readonly #connected = new Map<string, number>()
  #stopSweep: Stop = () => {}
  #isClosed = false

  constructor(options: McpClientsOptions) {
    this.#options = options
    this.#sweepLater()
  }

  /** Returns the function to call when the connection has ended. */
  readonly connect = (client: string): Stop => {
    this.#connected.set(client, (this.#connected.get(client) ?? 0) + 1)
    this.#mark(client, null)
    let isConnected = true
    return () => {
      if (isConnected) this.#disconnect(client)
      isConnected = false
    }
  }

  /** A terminal whose client has ended belongs to the next client that types into it; a person keeps it for good. */
  readonly follow = ({ typesInto, context }: Call): void => {
    const session = typesInto === undefined ? null : this.#options.host.known(typesInto)
    if (session === null || session.info.clientEndedAt === null) return
    const mcpClient = context.isMcp === true ? context.client : null
    this.#options.host.noteClient(session, { mcpClient, clientEndedAt: null })
  }

  /** The daemon ends: its clients go to the next one. */
  close(): void {
    this.#isClosed = true
    this.#stopSweep()
  }

  #disconnect(client: string): void {
    if (this.#isClosed) return
    const left = (this.#connected.get(client) ?? 1) - 1
    if (left > 0) {
      this.#connected.set(client, left)
      return
    }
    this.#connected.delete(client)
    this.#mark(client, this.#options.clock.wall())
    this.#options.ended(client)
  }

  #mark(client: string, clientEndedAt: number | null): void {
    const { host } = this.#options
    for (const session of host.sessions) {
      const { mcpClient, clientEndedAt: before } = session.info
      if (mcpClient !== client || (before === null) === (clientEndedAt === null)) continue
      host.noteClient(session, { mcpClient, clientEndedAt })
    }
  }

  #sweepLater(): void {
    const { clock } = this.#options
    this.#stopSweep = clock.callAt(clock.now() + sweepMs, () => {
      void this.#sweep().then(() => {
        if (!this.#isClosed) this.#sweepLater()
      })
    })
  }

  async #sweep(): Promise<void> {
    const { host, clock, asking, ended } = this.#options
    const isGone = (client: string) => !this.#connected.has(client)
    for (const { info } of host.sessions)
      if (info.mcpClient !== null && isGone(info.mcpClient)) this.#mark(info.mcpClient, clock.wall())
    for (const client of asking().filter(isGone)) ended(client)
    for (const session of host.sessions.filter((one) => this.#isDue(one))) {
      const mayClose = await this.#mayClose(session)
      // A host that is gone has closed it already. A client may have come meanwhile.
      if (mayClose && this.#isDue(session)) host.close(session, { leaveDaemons: false }).catch(() => undefined)
    }
  }

  #isDue({ info: { clientEndedAt }, exit }: Session): boolean {
    const { clock, keptMs } = this.#options
    return keptMs !== null && clientEndedAt !== null && exit === null && clientEndedAt + keptMs <= clock.wall()
  }

  async #mayClose(session: Session): Promise<boolean> {
    const { host, agents } = this.#options
    const { id, lease, wanted } = session.info
    if (session.followers.isLookedAt || lease.mayType === 'person' || wanted !== null) return false
    // A program that runs below it may still work for it.
    if (host.sessions.some(({ info, exit }) => exit === null && info.ancestors.includes(id))) return false
    if (agents.glance(id) === null) return true
    // An agent at work, and one that waits for an answer, still has its task.
    const { state, needs } = await session.freshVerdict(verdictMs)
    return state === 'ready' && needs === null
  }
}
