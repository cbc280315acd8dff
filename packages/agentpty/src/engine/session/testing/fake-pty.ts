/** A PTY that prints, reports and ends when a test says so, and remembers what was asked of it. */

import type { Clock, Exit, Facts, Pty, PtyEvents, WriteResult } from '../../../contracts/ports.ts'
import type { Offset, Size } from '../../../contracts/units.ts'

/** A program that waits in a read for a line of the terminal and has taken all its input. */
export const waitingForLine: Facts = {
  offset: 0,
  at: 0,
  inputWritten: 0,
  canonical: true,
  echo: true,
  signals: true,
  readable: true,
  consumed: true,
  inputPending: false,
  outputSinceWrite: true,
  wait: 'read',
  activity: 'none',
  inner: false,
  ownDescriptor: false,
  worksBeside: false,
  relay: false,
  relayHere: false,
  state: 'S',
  otherFds: 0,
  sockets: 0,
  threads: 1,
  cpuMs: 3,
  foreground: 200,
  leader: 100,
  waiter: 200,
  waiterThread: 200,
  timeoutMs: null,
  readBytes: 4_096,
  unread: 0,
  slices: 7,
  name: 'cat',
}

export class FakePty implements Pty {
  readonly sizes: Size[] = []
  readonly watched: boolean[] = []
  /** What a write is answered with. */
  writeResult: WriteResult = { result: 'written' }
  ackedTo: Offset = 0
  isClosed = false
  /** The engine's last notes. */
  meta = ''
  readonly #clock: Clock
  readonly #written: Buffer[] = []
  #events: PtyEvents | null = null
  #end: Offset = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Offset of the next byte. */
  get end(): Offset {
    return this.#end
  }

  get written(): string {
    return Buffer.concat(this.#written).toString()
  }

  prints(output: string | Uint8Array): void {
    const bytes = Buffer.from(output)
    const offset = this.#end
    this.#end += bytes.length
    this.#events?.output(offset, bytes)
  }

  /** The host had no room for so many bytes. */
  loses(bytes: number): void {
    this.#end += bytes
  }

  exits(exit: Partial<Exit> = {}): void {
    this.#events?.exit({ code: 0, signal: null, ...exit })
  }

  /** Facts of this moment: after all output and all input, unless the test says otherwise. */
  reports(facts: Partial<Facts> = {}): void {
    const inputWritten = Buffer.concat(this.#written).length
    this.#events?.facts({ ...waitingForLine, offset: this.#end, at: this.#clock.now(), inputWritten, ...facts })
  }

  attach(from: Offset, events: PtyEvents): void {
    this.#end = Math.max(this.#end, from)
    this.#events = events
  }

  ack(offset: Offset): void {
    this.ackedTo = offset
  }

  async write(bytes: Uint8Array): Promise<WriteResult> {
    this.#written.push(Buffer.from(bytes))
    this.#events?.written?.({ echoes: true, inputWritten: Buffer.concat(this.#written).length })
    return this.writeResult
  }

  async resize(size: Size): Promise<void> {
    this.sizes.push(size)
    this.#events?.resized?.(this.#end, size)
    this.#events?.resized?.(this.#end, size)
  }

  async signal(): Promise<void> {}

  note(meta: string): void {
    this.meta = meta
  }

  watch(on: boolean): void {
    this.watched.push(on)
  }

  async close(): Promise<{ readonly survivors: number }> {
    this.isClosed = true
    return { survivors: 0 }
  }
}
