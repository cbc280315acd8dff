/** This process's own standard input and output, as the command line needs them. */

import { once } from 'node:events'
import { type Stop, sendBytesMax, TermError } from '@agentpty/protocol'
import type { PipedInput, Terminal } from './command.ts'

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves when there is room for more. When the reader closes the pipe, the process ends silently, as in any pipe. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}

export function ownTerminal(): Terminal {
  const { stdin, stdout } = process
  // Some terminals, such as those of `docker exec` and expect, have 0 columns and rows.
  const size = () => ({ cols: stdout.columns || 80, rows: stdout.rows || 24 })
  return {
    size,
    onResize: (call) => {
      const resized = () => call(size())
      stdout.on('resize', resized)
      return () => void stdout.off('resize', resized)
    },
    keys: (call) => {
      stdin.setRawMode(true)
      stdin.on('data', call)
      // Once paused, a listener alone does not bring it back.
      stdin.resume()
      return () => {
        stdin.off('data', call)
        stdin.setRawMode(false)
        stdin.pause()
      }
    },
  }
}

export function onInterrupt(call: () => void): Stop {
  for (const signal of endings) process.once(signal, call)
  return () => {
    for (const signal of endings) process.off(signal, call)
  }
}

/** Standard input that is no terminal, as it comes. */
export function pipedInput(): PipedInput | null {
  const { stdin } = process
  if (stdin.isTTY) return null
  return { chunks: stdin, stop: () => void stdin.destroy() }
}

/** Errors: `message_too_large`. */
export async function readInput(): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of process.stdin) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length > sendBytesMax)
      throw new TermError(
        'message_too_large',
        `More than ${sendBytesMax} bytes on standard input.`,
        'Send it in pieces.',
      )
  }
  return Buffer.concat(pieces).toString('utf8')
}
