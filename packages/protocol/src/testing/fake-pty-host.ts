/**
 * A host of fake PTYs. Its sessions outlive the engine: the next engine finds them with their bytes, their sizes and
 * the engine's notes, as after a daemon was killed.
 */

import { defined } from '../collections.ts'
import { TermError } from '../errors.ts'
import type { Clock, KeptSession, Pty, PtyHost, SampleCosts, Spawn } from '../ports.ts'
import { type Delivery, FakePty } from './fake-pty.ts'

interface Terminal {
  readonly pid: number
  readonly spawn: Spawn
  readonly pty: FakePty
}

export interface FakePtyHostOptions {
  readonly delivery?: Delivery
}

/** Above every process id that Linux gives (4,194,304), because the policy asks the kernel for the folder of a process. */
const firstPid = 5_000_000

export class FakePtyHost {
  readonly #clock: Clock
  readonly #options: FakePtyHostOptions
  readonly #terminals = new Map<number, Terminal>()
  #connection: FakeConnection | null = null

  constructor(clock: Clock, options: FakePtyHostOptions = {}) {
    this.#clock = clock
    this.#options = options
  }

  /** The terminals that are there, by the engine's number for them. */
  get ptys(): ReadonlyMap<number, FakePty> {
    const open = [...this.#terminals].filter(([, { pty }]) => !pty.isClosed)
    return new Map(open.map(([id, { pty }]) => [id, pty]))
  }

  /** The host for one engine. The engine before gets nothing any more, as if it had been killed. */
  connect(): PtyHost {
    this.cutOff()
    this.#connection = new FakeConnection(this)
    return this.#connection
  }

  /** The engine's end of the socket is gone. */
  cutOff(): void {
    this.#connection = null
    for (const { pty } of this.#terminals.values()) pty.detach()
  }

  /** This connection is still the current one. */
  isHeard(connection: PtyHost): boolean {
    return this.#connection === connection
  }

  spawn(spawn: Spawn): Terminal {
    if (this.#terminals.has(spawn.id)) {
      throw new TermError('spawn_failed', `The session id ${spawn.id} is taken.`, 'Give each session a new number.')
    }
    const pty = new FakePty(
      this.#clock,
      defined({ logBytes: spawn.logBytes, delivery: this.#options.delivery, env: spawn.env }),
    )
    const terminal = { pid: firstPid + spawn.id, spawn, pty }
    this.#terminals.set(spawn.id, terminal)
    return terminal
  }

  find(id: number): FakePty | null {
    return this.#terminals.get(id)?.pty ?? null
  }

  list(): readonly KeptSession[] {
    return [...this.#terminals.values()].filter(({ pty }) => !pty.isClosed).map(keptSession)
  }
}

function keptSession({ pid, spawn, pty }: Terminal): KeptSession {
  const { id, cols, rows, meta } = spawn
  const { start, end, exit, resizes } = pty
  const known = { exited: exit !== null, exitedAt: pty.exitedAt, moments: [...pty.moments], meta: pty.meta ?? meta }
  return { id, pid, start, end, cols, rows, resizes: [...resizes], ...known }
}

class FakeConnection implements PtyHost {
  readonly pid = 1
  readonly #host: FakePtyHost

  constructor(host: FakePtyHost) {
    this.#host = host
  }

  async spawn(spawn: Spawn): Promise<{ readonly pid: number; readonly pty: Pty }> {
    if (!this.#host.isHeard(this)) return never()
    return { pid: this.#host.spawn(spawn).pid, pty: this.find(spawn.id) }
  }

  async list(): Promise<readonly KeptSession[]> {
    return this.#host.isHeard(this) ? this.#host.list() : never()
  }

  async costs(): Promise<SampleCosts> {
    return { samples: 0, cpuMs: 0 }
  }

  async hold(): Promise<number> {
    return 1
  }

  find(id: number): Pty {
    const pty = () => (this.#host.isHeard(this) ? this.#host.find(id) : null)
    return {
      attach: (from, events) => pty()?.attach(from, events),
      ack: (offset) => pty()?.ack(offset),
      note: (meta) => pty()?.note(meta),
      write: (bytes, numbered) => pty()?.write(bytes, numbered) ?? never(),
      dropInput: () => pty()?.dropInput() ?? never(),
      resize: (size) => pty()?.resize(size) ?? never(),
      signal: () => pty()?.signal() ?? never(),
      answerGate: (message) => pty()?.answerGate(message),
      watch: (on) => pty()?.watch(on),
      close: () => pty()?.close() ?? never(),
    }
  }

  async shutdown(): Promise<void> {
    await Promise.all([...this.#host.ptys.values()].map((pty) => pty.close()))
  }

  disconnect(): void {
    if (this.#host.isHeard(this)) this.#host.cutOff()
  }
}

/** The connection has been replaced: nothing is answered any more. */
function never<Value>(): Promise<Value> {
  return new Promise(() => {})
}
