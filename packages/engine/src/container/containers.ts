/**
 * All containers of a server, by one process of the host's binary that is their parent: native/ptyhost/src/container.h.
 *
 * The parent is started with the first container. When this process ends, for any reason, the parent sees its standard input close and
 * ends all containers.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Clock, changeBefore, limitReached, type Stop, TermError } from '@agentpty/protocol'
import { containerStartMs, containersMax } from '@agentpty/protocol/gym'
import { Container, type ContainerLimits } from './container.ts'

export interface ContainersOptions {
  readonly clock: Clock
  readonly program: string
}

type Parent = ChildProcessByStdio<Writable, Readable, null>

interface Ready {
  readonly address: string
  readonly ended: Promise<void>
}

interface Begun {
  ready(address: string): void
  failed(why: string): void
}

export class Containers {
  readonly #options: ContainersOptions
  #parent: Parent | null = null
  readonly #begun = new Map<number, Begun>()
  readonly #running = new Map<number, () => void>()
  /** Called once there is room for one more. */
  readonly #waiting = new Set<() => void>()
  #lastId = 0

  constructor(options: ContainersOptions) {
    this.#options = options
  }

  /** Starts a container. At the maximum, waits until another one ends. Errors: `sandbox_unavailable` with the kernel's reason; `limit_reached`. */
  async start(words: readonly string[], limits: ContainerLimits): Promise<Container> {
    const { clock, program } = this.#options
    await this.#room()
    const id = ++this.#lastId
    const { address, ended } = await this.#begin(id, words)
    return new Container({ clock, program, address, limits, ended, end: () => this.#request(id, []) })
  }

  /** Errors: `limit_reached` when none has ended in time. */
  async #room(): Promise<void> {
    const { clock } = this.#options
    const until = clock.now() + containerStartMs
    while (this.#running.size + this.#begun.size >= containersMax) {
      if (clock.now() >= until) throw tooMany()
      await changeBefore(this.#waiting, { clock, latest: until })
    }
  }

  /** Nothing of them is left. */
  async close(): Promise<void> {
    const parent = this.#parent
    if (parent === null) return
    const gone = new Promise((resolve) => parent.once('exit', resolve))
    parent.stdin.end()
    await gone
  }

  #begin(id: number, words: readonly string[]): Promise<Ready> {
    const { clock } = this.#options
    return new Promise((resolve, reject) => {
      const stop: Stop = clock.callAt(clock.now() + containerStartMs, () => this.#request(id, []))
      this.#begun.set(id, {
        ready: (address) => {
          stop()
          // Its end may be reported in the same message.
          resolve({ address, ended: new Promise<void>((done) => this.#running.set(id, done)) })
        },
        failed: (why) => {
          stop()
          reject(unavailable(why))
        },
      })
      this.#request(id, words)
    })
  }

  #request(id: number, words: readonly string[]): void {
    this.#parent ??= this.#startParent()
    const body = Buffer.from(words.map((word) => `${word}\0`).join(''))
    const head = Buffer.alloc(8)
    head.writeUInt32LE(4 + body.length, 0)
    head.writeUInt32LE(id, 4)
    this.#parent.stdin.write(Buffer.concat([head, body]))
  }

  #startParent(): Parent {
    const parent = spawn(this.#options.program, ['--containers'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: {},
    })
    let rest = ''
    parent.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#hear(line)
    })
    parent.stdin.on('error', () => {})
    parent.once('error', (error) => this.#lost(parent, error.message))
    parent.once('exit', () => this.#lost(parent, 'the process that starts them has ended'))
    // A library's program may end without closing it.
    parent.unref()
    for (const stream of [parent.stdin, parent.stdout]) if ('unref' in stream) (stream as Unreferenced).unref()
    return parent
  }

  #hear(line: string): void {
    const [what, number, ...rest] = line.split(' ')
    const id = Number(number)
    const begun = this.#begun.get(id)
    if (what === 'ended') this.#running.get(id)?.()
    else if (what === 'ready') begun?.ready(rest.join(' '))
    else begun?.failed(rest.join(' '))
    this.#begun.delete(id)
    if (what === 'ended') this.#running.delete(id)
    if (what === 'ready') return
    const [first] = this.#waiting
    first?.()
  }

  #lost(parent: Parent, why: string): void {
    if (this.#parent !== parent) return
    this.#parent = null
    for (const { failed } of this.#begun.values()) failed(why)
    for (const ended of this.#running.values()) ended()
    this.#begun.clear()
    this.#running.clear()
    for (const go of this.#waiting) go()
  }
}

interface Unreferenced {
  unref(): void
}

const tooMany = (): TermError =>
  limitReached(
    `${containersMax} containers run, which is the most that one server can have (too many of them).`,
    'Close some environments, or make the others by a second server: a private one, or a daemon with its own AGENTPTY_HOME.',
  )

function unavailable(why: string): TermError {
  if (why === 'too many of them') return tooMany()
  return new TermError('sandbox_unavailable', `No container can be made: ${why}.`, adviceFor(why))
}

function adviceFor(why: string): string {
  if (/namespaces|not permitted|users|No space left/i.test(why))
    return 'The kernel may forbid user namespaces here: `agentpty doctor` says what to set. Or ask for {"isolation":"none"}.'
  return 'Or ask for {"isolation":"none"}.'
}
