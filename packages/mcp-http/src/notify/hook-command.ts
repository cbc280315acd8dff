/** Messages to a program of the user, as JSON on its standard input. No shell is between. */

import { spawn } from 'node:child_process'
import type { Clock } from '@agentpty/protocol'
import { hookMsMax, type SendMessage } from '@agentpty/protocol/needs'

export function hookCommand(words: readonly string[], clock: Clock): SendMessage {
  const [program = '', ...args] = words
  return (message) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
      const cancelTimer = clock.callAt(clock.now() + hookMsMax, () => child.kill('SIGKILL'))
      child.once('error', (error) => {
        cancelTimer()
        reject(error)
      })
      child.once('exit', (code, signal) => {
        cancelTimer()
        if (code === 0) resolve()
        else reject(new Error(`${program} has ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`))
      })
      // A program that reads nothing has taken it all the same, if it says so by its exit code.
      child.stdin.on('error', () => {})
      child.stdin.end(`${JSON.stringify(message)}\n`)
    })
}
