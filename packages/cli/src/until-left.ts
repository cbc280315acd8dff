/** Ends commands that keep running: by a key at a terminal, or by a signal. */

import type { Stop } from '@agentpty/protocol'
import type { CliOptions } from './command.ts'

/** q, Ctrl+C and Escape: a sequence of an arrow key begins with Escape, and is longer. */
const leaving: ReadonlySet<string> = new Set(['q', '\x03', '\x1b'])

export const isLeavingKey = (bytes: Uint8Array): boolean => leaving.has(Buffer.from(bytes).toString('latin1'))

/** Calls `leave` when the person presses such a key, or the process is asked to end. Returns a function that stops listening. */
export function untilLeft(
  { terminal, onInterrupt }: Pick<CliOptions, 'terminal' | 'onInterrupt'>,
  leave: () => void,
): Stop {
  const stopInterrupts = onInterrupt(leave)
  const stopKeys = terminal?.keys((bytes) => {
    if (isLeavingKey(bytes)) leave()
  })
  return () => {
    stopKeys?.()
    stopInterrupts()
  }
}
