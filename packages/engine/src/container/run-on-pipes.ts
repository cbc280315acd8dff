/** A program of ours on pipes: what it says is kept up to a bound, and it has a time to end. */

import { spawn } from 'node:child_process'
import { type Clock, type Millis, type Stop, TermError } from '@agentpty/protocol'
import type { ExecOptions, ExecResult } from '@agentpty/protocol/gym'

/** Between asking it to end and ending it. */
const graceMs = 1_000
/** For what it has written and nobody has read yet, when it has ended. */
const restMs = 100

/** Keeps the first bytes, and goes on reading: whoever writes is not held up. */
class Kept {
  readonly #pieces: Buffer[] = []
  readonly #max: number
  #bytes = 0
  dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  take(piece: Buffer): void {
    const kept = piece.subarray(0, this.#max - this.#bytes)
    this.#pieces.push(kept)
    this.#bytes += kept.length
    this.dropped += piece.length - kept.length
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}

/** Errors: `spawn_failed`. */
export function runOnPipes(
  clock: Clock,
  command: { readonly program: string; readonly words: readonly string[] },
  options: ExecOptions,
): Promise<ExecResult> {
  const { env, input, timeoutMs, outputBytesMax, signal } = options
  const child = spawn(command.program, command.words, { stdio: 'pipe', env, cwd: '/' })
  const [stdout, stderr] = [new Kept(outputBytesMax), new Kept(outputBytesMax)]
  child.stdout.on('data', (piece: Buffer) => stdout.take(piece))
  child.stderr.on('data', (piece: Buffer) => stderr.take(piece))
  // A program that does not read all of its input closes it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let isEnded = false
  let stopNext: Stop = () => {}
  const after = (ms: Millis, next: () => void) => {
    stopNext()
    stopNext = clock.callAt(clock.now() + ms, next)
  }
  const end = () => {
    isEnded = true
    child.kill('SIGTERM')
    after(graceMs, () => child.kill('SIGKILL'))
  }
  // Whoever has inherited its outputs may keep them open.
  const letGo = () => {
    child.stdout.destroy()
    child.stderr.destroy()
  }
  after(timeoutMs, end)
  signal?.addEventListener('abort', end, { once: true })
  return new Promise<ExecResult>((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new TermError('spawn_failed', `Cannot start ${command.program}: ${error.message}.`, 'Run `agentpty doctor`.'),
      ),
    )
    // Timers come before what pipes hold, where a busy process is late for both: it is read before they are let go.
    child.once('exit', () => after(restMs, () => void setImmediate(letGo)))
    child.once('close', (code) => {
      const droppedBytes = stdout.dropped + stderr.dropped
      resolve({ stdout: stdout.bytes, stderr: stderr.bytes, droppedBytes, exitCode: isEnded ? null : code })
    })
  }).finally(() => {
    stopNext()
    signal?.removeEventListener('abort', end)
  })
}
