/**
 * A connection to the daemon of this machine. Where none runs, one is started, because there may be terminals that a daemon which was
 * killed has left behind.
 */

import { execFile } from 'node:child_process'
import { isTermError, TermError } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import { connect, type Hello, type OpenClient } from './connect.ts'
import { notInstalled } from './run-program.ts'

export interface HereOptions {
  readonly paths: Paths
  /** Where the program is now; null where it is not found. */
  readonly program: () => string | null
  readonly hello: Hello
  /** What a daemon that is started here gets in its environment besides. */
  readonly startsWith: () => Promise<Readonly<Record<string, string>>>
  readonly log: (line: string) => void
}

/** A daemon that is started looks for terminals of the one before it. */
const startTimeoutMs = 20_000

/** Errors: `no_daemon` where none can be started, and those of `connectDaemon`. */
export async function openHere(options: HereOptions): Promise<OpenClient> {
  const { paths, hello } = options
  try {
    return await connect(paths, hello)
  } catch (error) {
    if (!isTermError(error) || error.code !== 'no_daemon') throw error
    await start(options)
    return await connect(paths, hello)
  }
}

/** `ls` starts one; `status` of later versions does not. */
async function start({ program, startsWith, log }: HereOptions): Promise<void> {
  const found = program()
  if (found === null) throw notInstalled()
  log(`starting a daemon: ${found} ls`)
  const env = { ...process.env, ...(await startsWith()) }
  return new Promise((resolve, reject) => {
    execFile(found, ['ls'], { timeout: startTimeoutMs, env }, (error, _stdout, stderr) => {
      if (error === null) resolve()
      else reject(new TermError('daemon_gone', stderr.trim() || error.message, 'Run in a terminal: agentpty doctor'))
    })
  })
}
