/** A client that reconnects: when the daemon is killed during a call, the call fails, and the next one finds a new daemon. */

import { isTermError } from '@agentpty/protocol'
import type { WireClient } from '@agentpty/protocol/wire'
import { type Instance, isAlive, until } from '../../tests/harness/instance.ts'
import { Latency } from './latency.ts'

type Caller = Pick<WireClient, 'call'>

export class Reach {
  readonly latency = new Latency()
  readonly #instance: Instance
  #client: Promise<WireClient> | null = null

  constructor(instance: Instance) {
    this.#instance = instance
  }

  /** Null when the daemon was killed during the call, which may have been done or not. */
  async try<Result>(use: (client: Caller) => Promise<Result>): Promise<Result | null> {
    this.#client ??= this.#instance.rpc()
    const mine = this.#client
    try {
      return await use(this.#timed(await mine))
    } catch (error) {
      if (!isTermError(error) || error.code !== 'daemon_gone') throw error
      if (this.#client === mine) this.#client = null
      return null
    }
  }

  #timed(client: WireClient): Caller {
    return {
      call: async (name, input, context) => {
        const startedAt = performance.now()
        const result = await client.call(name, input, context)
        this.latency.note(name, performance.now() - startedAt)
        return result
      },
    }
  }

  /** Repeats a call until there is an answer; only for calls that may be done twice. */
  async ask<Result>(use: (client: Caller) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.try(use)
      if (result !== null) return result
    }
  }

  /** `kill -9` for the daemon. */
  async kill(): Promise<void> {
    const { daemon } = await this.#instance.status()
    process.kill(daemon.pid, 'SIGKILL')
    await until(() => !isAlive(daemon.pid))
  }

  async close(): Promise<void> {
    await (await this.#client?.catch(() => null))?.close()
  }
}
