/** Runs `agentpty ARGS` to its end, for work that the daemon has no verb for. */

import { execFile } from 'node:child_process'
import { howToInstall, TermError } from '@agentpty/protocol'
import { parseObject } from '@agentpty/protocol/wire'

export type RunProgram = (args: readonly string[], input?: string) => Promise<Readonly<Record<string, unknown>>>

const timeoutMs = 30_000

/** Parses the output as one JSON object. Errors: `no_daemon` without a program, `machine_unfit` with the program's message. */
export function programRunner(program: () => string | null): RunProgram {
  return (args, input = '') => {
    const found = program()
    if (found === null) return Promise.reject(notInstalled())
    return new Promise((resolve, reject) => {
      const started = execFile(found, [...args], { timeout: timeoutMs }, (error, stdout, stderr) => {
        const answer = parseObject(stdout)
        if (answer !== null) resolve(answer)
        else reject(new TermError('machine_unfit', saidBy(stderr, error), 'Run in a terminal: agentpty doctor'))
      })
      // A program that failed to start takes no input; the callback above reports it.
      started.stdin?.on('error', () => undefined)
      started.stdin?.end(input)
    })
  }
}

function saidBy(stderr: string, error: Error | null): string {
  return stderr.trim() || error?.message || 'agentpty has printed no reply.'
}

export function notInstalled(): TermError {
  return new TermError(
    'no_daemon',
    'agentpty is not installed here.',
    `${howToInstall}. Or name the program in the setting agentpty.path.`,
  )
}
