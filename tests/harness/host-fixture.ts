/** A private ptyhost for one test, and what tests do with it. AGENTPTY_PTYHOST chooses a sanitized build. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { HostLink } from '@agentpty/engine/ptyhost'
import { startHost } from '@agentpty/engine/testing'
import type { Exit, Facts, Pty } from '@agentpty/protocol'

export const hostProgram = process.env['AGENTPTY_PTYHOST'] ?? resolve('native/ptyhost/build/ptyhost')

export interface TestHost {
  readonly link: HostLink
  readonly socket: string
  /** Ends it and everything it runs. */
  stop(): Promise<void>
}

export async function openHost(): Promise<TestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'ptyhost-test-'))
  const socket = join(folder, 'host.sock')
  await startHost({ program: hostProgram, socket, lingerMs: 500 })
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
  /** In the environment of all that it starts, and of nothing else: other files of tests run beside this one. */
  readonly marker: string
  readonly pid: number
  readonly pty: Pty
}

export async function open(
  link: HostLink,
  argv: readonly string[],
  options: { logBytes?: number; env?: Record<string, string> } = {},
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
    cwd: '/tmp',
    cols: 80,
    rows: 24,
    logBytes: options.logBytes ?? 8 << 20,
    meta: `{"id":${id}}`,
  })
  return { id, marker: `AGENTPTY_TEST=${mark}`, pid, pty }
}

/** Everything a session prints from `from` on, acknowledged as it comes, and how it ended. */
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

  /** Resolves as soon as `condition` holds; asked again whenever something comes. */
  async until(condition: (recorder: Recorder) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((wake) => this.#watchers.push(wake))
  }

  #notify(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const wake of watchers) wake()
  }
}

/** Processes, zombies included, below this one. */
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
    // Gone meanwhile.
    return 0
  }
}

/** Runs jobs side by side, so many at a time. */
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
    // The shell's way of saying no.
    return false
  }
}
