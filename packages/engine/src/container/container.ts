/**
 * One container. Its programs see each other and one file system, however many terminals and commands there are. When it has ended, all of
 * them are gone, and so is what they wrote, unless it lies in a folder that was given.
 */

import { type Clock, TermError } from '@agentpty/protocol'
import {
  containerStartMs,
  copyMsMax,
  type ExecOptions,
  type ExecResult,
  type RunningContainer,
} from '@agentpty/protocol/gym'
import { type ContainerLimits, enterWords, terminalWords } from './container-words.ts'
import { pipeBetween } from './pipe-between.ts'
import { runOnPipes } from './run-on-pipes.ts'

export interface ContainerParts {
  readonly clock: Clock
  /** The host's binary. */
  readonly program: string
  /** Of its process 1, as outside knows it: its number and when it began, which tells it from a later one. */
  readonly address: string
  readonly limits: ContainerLimits
  readonly ended: Promise<void>
  /** Asks for its end. */
  readonly end: () => void
}

const systemPath = { PATH: '/usr/bin:/bin' }

export class Container implements RunningContainer {
  readonly #parts: ContainerParts
  #hasEnded = false

  constructor(parts: ContainerParts) {
    this.#parts = parts
    void parts.ended.then(() => {
      this.#hasEnded = true
    })
  }

  get ended(): Promise<void> {
    return this.#parts.ended
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  terminalWords(cwd: string): readonly string[] {
    return terminalWords(this.#parts.address, cwd, this.#parts.limits)
  }

  get ptmx(): string {
    return `/proc/${this.#parts.address.split(':')[0]}/root/dev/pts/ptmx`
  }

  exec(argv: readonly string[], options: ExecOptions): Promise<ExecResult> {
    const words = [...this.enterWords(options.cwd), ...argv]
    return this.#run(words, options)
  }

  async isAlive(): Promise<boolean> {
    if (this.#hasEnded) return false
    const options = { cwd: '/', env: systemPath, timeoutMs: containerStartMs, outputBytesMax: 0 }
    return (await this.exec(['true'], options)).exitCode === 0
  }

  async sweep(): Promise<void> {
    const limits = { cwd: '/', env: {}, timeoutMs: containerStartMs, outputBytesMax: 1_000 }
    const { exitCode, stderr } = await this.#run(['--sweep', this.#parts.address], limits)
    if (exitCode === 0) return
    const why = stderr.toString().trim() || 'something in it does not end'
    throw new TermError(
      'sandbox_unavailable',
      `The container's programs could not be ended: ${why}.`,
      'Reset the environment.',
    )
  }

  enterWords(cwd: string): readonly string[] {
    return enterWords(this.#parts.address, cwd, this.#parts.limits)
  }

  copyTo(other: RunningContainer, folder: string): Promise<void> {
    const { clock, program } = this.#parts
    const from = [...this.enterWords(folder), 'tar', '-c', '--xattrs', '-f', '-', '.']
    // What is there already is only what the same beginning has put there.
    const to = [...other.enterWords(folder), 'sh', '-c', 'find . -mindepth 1 -delete && exec tar -x -p --xattrs -f -']
    return pipeBetween(clock, { program, from, to, env: systemPath, timeoutMs: copyMsMax })
  }

  #run(words: readonly string[], options: ExecOptions): Promise<ExecResult> {
    const { clock, program } = this.#parts
    return runOnPipes(clock, { program, words }, options)
  }

  async end(): Promise<void> {
    if (!this.#hasEnded) this.#parts.end()
    await this.#parts.ended
  }
}
