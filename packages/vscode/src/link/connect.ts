/** Connects to the running daemon; starts none. */

import { systemClock } from '@agentpty/engine/system-clock'
import { TermError } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import { type ClientHello, LineWire, WireClient } from '@agentpty/protocol/wire'
import { connectDaemon } from '@agentpty/server/daemon'
import { socketOf, thisProcess } from '@agentpty/server/state'

export type Hello = Omit<ClientHello, 'face'>
export type OpenClient = WireClient & { readonly ended: Promise<void> }

/** Errors: those of `connectDaemon`. */
export async function connect(paths: Paths, hello: Hello): Promise<OpenClient> {
  // Accepts any build: another version of this extension must not stop other clients' daemon.
  const locate = () => socketOf(paths, thisProcess(systemClock))
  const options = { clock: systemClock, paths, command: [], build: '', mayStart: false, locate }
  const { socket } = await connectDaemon(options, { face: 'rpc', ...hello })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Object.assign(new WireClient(new LineWire(socket)), { ended })
}

export const notConnected = () =>
  new TermError('no_daemon', 'agentpty is not connected.', 'Read its log: agentpty: Show Log.')
