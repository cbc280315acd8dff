/** Runs commands of the built agentpty. */

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

export const program = resolve('packages/agentpty/bin/agentpty.js')

/** Returns a function that runs one command to its end, and returns its output. Errors: an exit code other than 0, with the messages. */
export const cliIn =
  (env, cwd) =>
  (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8', cwd })
    if (status !== 0) throw new Error(`agentpty ${args.join(' ')}: ${stderr}`)
    return stdout
  }
