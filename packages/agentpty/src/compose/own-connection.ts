/** The connections of commands to the daemon of their instance. A start that takes long is reported on standard error. */

import { randomBytes } from 'node:crypto'
import type { ConnectOptions } from '@agentpty/cli'
import { systemClock } from '@agentpty/engine/system-clock'
import { defined } from '@agentpty/protocol'
import type { ClientHello } from '@agentpty/protocol/wire'
import { reachDaemon } from './open-browser.ts'
import type { OwnProcess } from './own-process.ts'

/** A daemon starts within half a second, and within three under load. */
const longStartMs = 3_000
/** For commands of people a notice comes later, because it is a line among their output. */
const longCommandMs = 5_000

export interface ConnectRequest extends ConnectOptions {
  /** The token, in place of the environment's. */
  readonly token?: string
  readonly signal?: AbortSignal
}

/** The connections of the commands of one process. */
export class OwnConnections {
  readonly #own: OwnProcess

  constructor(own: OwnProcess) {
    this.#own = own
  }

  #hello(face: ClientHello['face'], token = this.#own.token): ClientHello {
    const client = `${face}-${process.pid}-${randomBytes(4).toString('hex')}`
    const { callerName, environment, facts } = this.#own
    const program = face === 'rpc' ? callerName : undefined
    return defined({ face, client, program, cwd: facts.cwd(), env: environment, token })
  }

  #connect(hello: ClientHello, mayStart: boolean, signal?: AbortSignal) {
    const { facts, paths } = this.#own
    const { env, script, userId } = facts
    const command = [process.execPath, script, 'daemon']
    return reachDaemon(defined({ paths, userId, command, env, mayStart, signal }), hello)
  }

  async #sayIfSlow<Result>(connecting: Promise<Result>, afterMs: number): Promise<Result> {
    const wait = 'agentpty: the daemon takes long to start; still waiting. If it never does, run: agentpty doctor\n'
    const cancelTimer = systemClock.callAt(systemClock.now() + afterMs, () => this.#own.facts.complain(wait))
    try {
      return await connecting
    } finally {
      cancelTimer()
    }
  }

  /**
   * Returns the connections of one MCP server. All have one hello: to the next daemon it is the same client, with its terminals. Each starts a
   * daemon if there is none. Errors: throws at once in a deleted working folder.
   */
  mcp(toolsets: ClientHello['toolsets']) {
    const hello = defined({ ...this.#hello('mcp'), toolsets })
    return async () => (await this.#sayIfSlow(this.#connect(hello, true), longStartMs)).socket
  }

  /** Connects the doctor, which reports itself what takes long. */
  async doctor({ mayStart, isPerson, asksPerson, signal, token }: ConnectRequest) {
    const { LineWire, WireClient } = await import('@agentpty/protocol/wire')
    const hello = defined({ ...this.#hello('rpc', token), isPerson, asksPerson })
    return new WireClient(new LineWire((await this.#connect(hello, mayStart, signal)).socket))
  }

  rpc(request: ConnectRequest) {
    return this.#sayIfSlow(this.doctor(request), longCommandMs)
  }
}
