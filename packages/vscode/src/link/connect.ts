/** One connection to the daemon that runs; none is started. */

import { TermError } from '../../../agentpty/src/contracts/errors.ts'
import type { Paths } from '../../../agentpty/src/contracts/home/paths.ts'
import type { ClientHello } from '../../../agentpty/src/contracts/wire/handshake.ts'
import { systemClock } from '../../../agentpty/src/engine/host/system-clock.ts'
import { connectDaemon } from '../../../agentpty/src/faces/daemon/daemon-link.ts'
import { LineWire } from '../../../agentpty/src/faces/wire/line-wire.ts'
import { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { socketOf } from '../../../agentpty/src/server/state/daemon-lock.ts'
import { thisProcess } from '../../../agentpty/src/server/state/this-machine.ts'

export type Hello = Omit<ClientHello, 'face'>
export type OpenClient = WireClient & { readonly ended: Promise<void> }

/** Errors: those of `connectDaemon`. */
export async function connect(paths: Paths, hello: Hello): Promise<OpenClient> {
  // Whichever build it is: another version of this extension must not end the daemon of others.
  const locate = () => socketOf(paths, thisProcess(systemClock))
  const options = { clock: systemClock, paths, command: [], build: '', mayStart: false, locate }
  const { socket } = await connectDaemon(options, { face: 'rpc', ...hello })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Object.assign(new WireClient(new LineWire(socket)), { ended })
}

export const notConnected = () =>
  new TermError('no_daemon', 'agentpty is not connected.', 'Look at its log: agentpty: Show Log.')
