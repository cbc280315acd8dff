/**
 * A connection to the daemon of this machine. Starts a daemon if none runs, because a killed daemon may have left terminals that still run.
 */

import { execFile } from 'node:child_process'
import { isTermError, TermError } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import { connect, type Hello, type OpenClient } from './connect.ts'
import { notInstalled } from './run-program.ts'

export interface HereOptions {
  readonly paths: Paths
  /** Returns the path of the program; null if it is not found. */
  readonly program: () => string | null
  readonly hello: Hello
  /** Additional environment variables for a daemon started here. */
  readonly startsWith: () => Promise<Readonly<Record<string, string>>>
  readonly log: (line: string) => void
}

/** A starting daemon first recovers the terminals of the previous one. */
const startTimeoutMs = 20_000

/** Errors: `no_daemon` if none can be started, and those of `connectDaemon`. */
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

/** Uses `ls`, which starts a daemon; `status` of later versions does not. */
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
