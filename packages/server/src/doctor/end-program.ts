/** Ending a program that was started in a process group of its own, with all that it has started. */

import type { ChildProcess } from 'node:child_process'
import { type Clock, doctorFarewellMs } from '@agentpty/protocol'

/** Resolves once it has ended, or could not be started. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => void child.once('exit', () => resolve()).once('error', () => resolve()))
}

/** First by its input and SIGTERM, then by SIGKILL. `ended` is its {@link endOf}. */
export async function endProgram(child: ChildProcess, ended: Promise<void>, clock: Clock): Promise<void> {
  if (child.pid === undefined) return
  const group = -child.pid
  child.stdin?.end()
  signal(group, 'SIGTERM')
  const cancel = clock.callAt(clock.now() + doctorFarewellMs, () => signal(group, 'SIGKILL'))
  await ended
  cancel()
  signal(group, 'SIGKILL')
  // A process that has left the group may still hold the streams.
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function signal(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(group, name)
  } catch {
    // The last process of the group has ended already.
  }
}
