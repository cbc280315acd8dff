/** A private ptyhost for one test, with helpers. AGENTPTY_PTYHOST selects another build: sanitized, or as on an old kernel. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { HostLink } from '@agentpty/engine/ptyhost'
import { startHost } from '@agentpty/engine/testing'
import type { Exit, Facts, Pty } from '@agentpty/protocol'

export const hostProgram = resolve(process.env['AGENTPTY_PTYHOST'] ?? 'native/ptyhost/build/ptyhost')

export interface TestHost {
  readonly link: HostLink
  readonly socket: string
  /** Ends it and all its processes. */
  stop(): Promise<void>
}

/** Some tests end their host themselves. */
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export async function openHost(program = hostProgram): Promise<TestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'ptyhost-test-'))
  folders.push(folder)
  const socket = join(folder, 'host.sock')
  await startHost({ program, socket, lingerMs: 500 })
  const { link } = await HostLink.connect(socket, () => undefined)
  return {
    link,
    socket,
    stop: async () => {
      await link.shutdown()
      link.disconnect()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let lastId = 0

export interface TestSession {
  readonly id: number
  /** Marks the environment of all its processes only: other test files run at the same time. */
  readonly marker: string
  readonly pid: number
  readonly pty: Pty
}

export async function open(
  link: HostLink,
  argv: readonly string[],
  options: { logBytes?: number; env?: Record<string, string>; cwd?: string; gate?: string } = {},
): Promise<TestSession> {
  const id = ++lastId
  const mark = `${process.pid}-${id}`
  const env = {
    PATH: process.env['PATH'] ?? '',
    TERM: 'xterm-256color',
    HOME: '/tmp',
    AGENTPTY_TEST: mark,
    ...options.env,
  }
  const { pid, pty } = await link.spawn({
    id,
    argv,
    env,
    cwd: options.cwd ?? '/tmp',
    gate: options.gate ?? '',
    cols: 80,
    rows: 24,
    logBytes: options.logBytes ?? 8 << 20,
    meta: `{"id":${id}}`,
  })
  return { id, marker: `AGENTPTY_TEST=${mark}`, pid, pty }
}

/** Reads the output of a session from `from` on, acknowledging it, and how the session ended. */
export class Recorder {
  readonly exit: Promise<Exit>
  readonly facts: Facts[] = []
  end = 0
  start = -1
  readonly #parts: Uint8Array[] = []
  readonly #pty: Pty
  #exited: (exit: Exit) => void = () => {}
  #watchers: (() => void)[] = []
  paused = false

  constructor(pty: Pty, from = 0) {
    this.#pty = pty
    this.exit = new Promise((done) => {
      this.#exited = done
    })
    pty.attach(from, {
      output: (offset, bytes) => {
        if (this.start < 0) this.start = offset
        this.#parts.push(Buffer.from(bytes))
        this.end = offset + bytes.length
        if (!this.paused) pty.ack(this.end)
        this.#notify()
      },
      exit: (exit) => this.#exited(exit),
      facts: (facts) => {
        this.facts.push(facts)
        this.#notify()
      },
    })
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  resume(): void {
    this.paused = false
    this.#pty.ack(this.end)
  }

  /** Resolves as soon as `condition` is true; checked again with every message. */
  async until(condition: (recorder: Recorder) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((wake) => this.#watchers.push(wake))
  }

  #notify(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const wake of watchers) wake()
  }
}

/** The processes below this one, including zombies. */
export function descendantsOf(root: number): readonly number[] {
  const parents = new Map(allProcesses().map((pid) => [pid, parentOf(pid)]))
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 0; at = parents.get(at)) if (at === root) return true
    return false
  }
  return [...parents.keys()].filter(isBelow)
}

export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function allProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // Ended meanwhile.
    return 0
  }
}

/** Runs jobs concurrently, up to a number at a time. */
export async function pool<Job>(jobs: readonly Job[], width: number, work: (job: Job) => Promise<void>): Promise<void> {
  const queue = [...jobs]
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await work(job)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    // The shell's exit code for false.
    return false
  }
}
