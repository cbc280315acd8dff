/** The connections of commands to the daemon of their instance. A start that takes long is reported on standard error. */

import { randomBytes } from 'node:crypto'
import type { ConnectOptions } from '@agentpty/cli'
import { systemClock } from '@agentpty/engine/system-clock'
import { defined } from '@agentpty/protocol'
import type { ClientHello } from '@agentpty/protocol/wire'
import { reachDaemon } from './open-browser.ts'
import { ownEnvironment, ownName, ownToken, paths, userId } from './own-process.ts'

/** A daemon starts within half a second, and within three under load. */
const longStartMs = 3_000
/** For commands of people a notice comes later, because it is a line among their output. */
const longCommandMs = 5_000

export interface ConnectRequest extends ConnectOptions {
  /** The token, in place of the environment's. */
  readonly token?: string
  readonly signal?: AbortSignal
}

function helloOf(face: ClientHello['face'], token = ownToken()): ClientHello {
  const client = `${face}-${process.pid}-${randomBytes(4).toString('hex')}`
  const program = face === 'rpc' ? ownName() : undefined
  return defined({ face, client, program, cwd: process.cwd(), env: ownEnvironment(), token })
}

function connect(hello: ClientHello, mayStart: boolean, signal?: AbortSignal) {
  const command = [process.execPath, process.argv[1] ?? '', 'daemon']
  return reachDaemon(defined({ paths, userId, command, mayStart, signal }), hello)
}

async function sayIfSlow<Result>(connecting: Promise<Result>, afterMs: number): Promise<Result> {
  const wait = 'agentpty: the daemon takes long to start; still waiting. If it never does, run: agentpty doctor\n'
  const cancelTimer = systemClock.callAt(systemClock.now() + afterMs, () => void process.stderr.write(wait))
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
export function mcpConnections(toolsets: ClientHello['toolsets']) {
  const hello = defined({ ...helloOf('mcp'), toolsets })
  return async () => (await sayIfSlow(connect(hello, true), longStartMs)).socket
}

/** Connects the doctor, which reports itself what takes long. */
export async function connectDoctor({ mayStart, isPerson, asksPerson, signal, token }: ConnectRequest) {
  const { LineWire, WireClient } = await import('@agentpty/protocol/wire')
  const hello = defined({ ...helloOf('rpc', token), isPerson, asksPerson })
  return new WireClient(new LineWire((await connect(hello, mayStart, signal)).socket))
}

export function connectRpc(request: ConnectRequest) {
  return sayIfSlow(connectDoctor(request), longCommandMs)
}
