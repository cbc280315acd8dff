/** One program of ours writes what another one reads: what is in between need not fit into memory. */

import { spawn } from 'node:child_process'
import { type Clock, type Millis, TermError } from '@agentpty/protocol'

export interface Between {
  readonly program: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: Millis
}

const complaintBytesMax = 2_000

/** Errors: `environment` when one of them fails. */
export async function pipeBetween(clock: Clock, { program, from, to, env, timeoutMs }: Between): Promise<void> {
  const writer = spawn(program, from, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: '/' })
  const reader = spawn(program, to, { stdio: ['pipe', 'ignore', 'pipe'], env, cwd: '/' })
  let complaint = ''
  for (const { stderr } of [writer, reader])
    stderr.on('data', (text) => {
      complaint = `${complaint}${text}`.slice(-complaintBytesMax)
    })
  // A reader that ends early closes it; its own end says why.
  reader.stdin.on('error', () => writer.kill('SIGTERM'))
  writer.stdout.pipe(reader.stdin)
  const stop = clock.callAt(clock.now() + timeoutMs, () => {
    writer.kill('SIGTERM')
    reader.kill('SIGTERM')
  })
  const ends = await Promise.all([writer, reader].map(endOf))
  stop()
  if (ends.every((code) => code === 0)) return
  throw new TermError('environment', `Files could not be copied: ${complaint.trim() || ends.join(', ')}.`, 'Try again.')
}

function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
}
