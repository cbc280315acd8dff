/**
 * A connection to the daemon of this machine. Where none runs, one is started, because there may be terminals that a daemon which was
 * killed has left behind.
 */

import { execFile } from 'node:child_process'
import { isTermError, TermError } from '../../../agentpty/src/contracts/errors.ts'
import type { Paths } from '../../../agentpty/src/contracts/home/paths.ts'
import type { ClientHello } from '../../../agentpty/src/contracts/wire/handshake.ts'
import { systemClock } from '../../../agentpty/src/engine/host/system-clock.ts'
import { connectDaemon } from '../../../agentpty/src/faces/daemon/daemon-link.ts'
import { LineWire } from '../../../agentpty/src/faces/wire/line-wire.ts'
import { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import type { OpenWire } from './open-wire.ts'

export interface HereOptions {
  readonly paths: Paths
  /** Where the program is now; null where it is not found. */
  readonly program: () => string | null
  readonly hello: Omit<ClientHello, 'face'>
  readonly log: (line: string) => void
}

/** A daemon that is started looks for terminals of the one before it. */
const startTimeoutMs = 20_000

/** Errors: `no_daemon` where none can be started, and those of `connectDaemon`. */
export async function openHere(options: HereOptions): Promise<OpenWire> {
  try {
    return await connect(options)
  } catch (error) {
    if (!isTermError(error) || error.code !== 'no_daemon') throw error
    await start(options)
    return await connect(options)
  }
}

async function connect({ paths, hello }: HereOptions): Promise<OpenWire> {
  // Whichever build it is: another version of this extension must not end the daemon of others.
  const options = { clock: systemClock, paths, command: [], build: '', mayStart: false }
  const { socket } = await connectDaemon(options, { face: 'rpc', ...hello })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Object.assign(new WireClient(new LineWire(socket)), { ended })
}

/** Any command starts one. */
function start({ program, log }: HereOptions): Promise<void> {
  const found = program()
  if (found === null) return Promise.reject(notInstalled())
  log(`starting a daemon: ${found} status`)
  return new Promise((resolve, reject) => {
    execFile(found, ['status'], { timeout: startTimeoutMs }, (error, _stdout, stderr) => {
      if (error === null) resolve()
      else reject(new TermError('daemon_gone', stderr.trim() || error.message, 'Run in a terminal: agentpty doctor'))
    })
  })
}

function notInstalled(): TermError {
  return new TermError(
    'no_daemon',
    'agentpty is not installed here.',
    'Install it with: npm install -g agentpty. Or name it in the setting agentpty.path.',
  )
}
