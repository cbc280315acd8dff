/** Runs a program of the system and keeps what it complains of. */

import { execFile } from 'node:child_process'
import { copyMsMax } from '@agentpty/protocol/gym'

export interface ToolEnd {
  /** Null when it could not be started, or took too long. */
  readonly code: number | null
  readonly complaint: string
}

export interface ToolOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array
}

export function runTool(
  program: string,
  words: readonly string[],
  { cwd = '/', env = {}, input }: ToolOptions = {},
): Promise<ToolEnd> {
  const options = { cwd, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env }, timeout: copyMsMax, maxBuffer: 1 << 20 }
  return new Promise((resolve) => {
    const child = execFile(program, words, options, (error, _out, stderr) => {
      if (error === null) resolve({ code: 0, complaint: '' })
      else {
        const code = typeof error.code === 'number' ? error.code : null
        resolve({ code, complaint: stderr.trim().slice(-500) || error.message })
      }
    })
    // A program that ends before it has read everything says so by its exit code.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
