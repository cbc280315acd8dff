/**
 * One container. Its programs see each other and one file system, however many terminals and commands there are. When it has ended, all of
 * them are gone, and so are their files, unless they are in a folder that was given.
 */

import { spawn } from 'node:child_process'
import { type Clock, type Millis, machineUnfit, type Stop, TermError } from '@agentpty/protocol'
import {
  containerStartMs,
  copyMsMax,
  type ExecOptions,
  type ExecResult,
  type Layer,
  type Mount,
  type RunningContainer,
} from '@agentpty/protocol/gym'
import { wallProgram } from '../ptyhost/protocol.ts'

interface ContainerParts {
  readonly clock: Clock
  readonly program: string
  /** The address of its process 1 outside the container: its number, and its start time, which distinguishes it from a later process. */
  readonly address: string
  readonly limits: ContainerLimits
  readonly ended: Promise<void>
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
    // The folder contains only files from the same initial state.
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

interface Between {
  readonly program: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: Millis
}

const complaintBytesMax = 2_000

/**
 * Pipes the output of one of our programs to another, so that it need not fit into memory.
 *
 * Errors: `machine_unfit` when one of them fails.
 */
async function pipeBetween(clock: Clock, { program, from, to, env, timeoutMs }: Between): Promise<void> {
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
  throw machineUnfit(`Files could not be copied: ${complaint.trim() || ends.join(', ')}.`, 'Try again.')
}

function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
}

// A program of ours on pipes: what it says is kept up to a bound, and it has a time to end.

/** The time between asking it to end and killing it. */
const graceMs = 1_000
/** The time for reading the remaining output after it has ended. */
const restMs = 100

/** Keeps the first bytes, and continues to read, so that the writer is not blocked. */
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
function runOnPipes(
  clock: Clock,
  command: { readonly program: string; readonly words: readonly string[] },
  options: ExecOptions,
): Promise<ExecResult> {
  const { env, input, timeoutMs, outputBytesMax, signal } = options
  const child = spawn(command.program, command.words, { stdio: 'pipe', env, cwd: '/' })
  const stdout = new Kept(outputBytesMax)
  const stderr = new Kept(outputBytesMax)
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
  // A process that inherited its outputs may keep them open.
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

interface ContainerWords {
  /** A folder of its own; layers are mounted there. */
  readonly stage: string
  /** The bytes that it may take in memory; null: it is on the disk. */
  readonly stageBytes: number | null
  readonly layers: readonly Layer[]
  readonly mounts: readonly Mount[]
  readonly rootBytes: number
  readonly hostname: string
  readonly hasNetwork: boolean
  readonly limits: ContainerLimits
}

export interface ContainerLimits {
  /** All processes together. */
  readonly memoryBytes: number
  readonly processes: number
  /** The size of one file. */
  readonly fileBytes: number
}

/** Builds the arguments of the host's binary that make a container and start programs in it: native/ptyhost/src/container.h. Pure. */
export function containerWords(words: ContainerWords): string[] {
  const { hostname, hasNetwork, stage, stageBytes, rootBytes, layers, mounts, limits } = words
  const overlays = layers.flatMap(({ lowers }) => (lowers === null ? [] : [lowers]))
  return [
    ...['--hostname', hostname, '--network', hasNetwork ? 'on' : 'off'],
    ...['--memory', String(limits.memoryBytes), '--processes', String(limits.processes)],
    ...['--stage', stage, '--root-bytes', String(rootBytes)],
    ...(overlays.length === 0 || stageBytes === null ? [] : ['--stage-bytes', String(stageBytes)]),
    ...overlays.flatMap((lowers) => ['--overlay', lowers.map(escapedLower).join(':')]),
    ...mounts.flatMap(wordsFor),
    ...layerWords(layers),
  ]
}

/** Escapes the characters with which the kernel separates the folders and options of an overlay. */
const escapedLower = (path: string): string => path.replaceAll(/[\\:,]/g, (character) => `\\${character}`)

function layerWords(layers: readonly Layer[]): string[] {
  let overlay = 0
  return layers.flatMap(({ target, lowers, folder }) =>
    lowers === null ? ['--write', folder ?? '', target] : ['--layer', String(overlay++), target],
  )
}

function wordsFor(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read':
      return ['--read', mount.source, mount.target]
    case 'write':
      return ['--write', mount.source, mount.target]
    case 'folder':
      return ['--folder', mount.mode, mount.target]
    case 'link':
      return ['--link', mount.source, mount.target]
  }
}

/** Builds the arguments that start a program in a container, on a terminal. The program follows after the last word. */
export function terminalWords(address: string, cwd: string, limits: ContainerLimits): string[] {
  return [wallProgram, '--container', address, '--cwd', cwd, ...processLimits(limits), '--', '--']
}

/** Builds the arguments that start a program in a container, on pipes. */
export function enterWords(address: string, cwd: string, limits: ContainerLimits): string[] {
  return ['--enter', address, '--cwd', cwd, ...processLimits(limits), '--']
}

function processLimits({ processes, fileBytes }: ContainerLimits): string[] {
  return ['--processes', String(processes), '--file-size', String(fileBytes)]
}
