/**
 * The engine's end of the socket to ptyhost.
 *
 * Requests and their answers are matched by number; output, exits and facts go to whoever attached the session.
 * When the host goes away every open request fails with `host_gone` and `gone` is called once.
 */

import { connect, type Socket } from 'node:net'
import { TermError } from '../../contracts/errors.ts'
import { writePieceBytes } from '../../contracts/limits.ts'
import type { KeptSession, LookCosts, Pty, PtyEvents, PtyHost, Spawn, WriteResult } from '../../contracts/ports.ts'
import type { Offset, Size } from '../../contracts/units.ts'
import {
  answer,
  type Frame,
  FrameReader,
  FrameSplitter,
  FrameWriter,
  protocolMagic,
  protocolVersion,
  request,
} from './frames.ts'
import { hostRefusal } from './host-refusal.ts'
import { readExit, readFacts, readKeptSession, readWritten, readWrittenEvent } from './read-answers.ts'
import { spawnFailure } from './spawn-failure.ts'

interface OpenRequest {
  readonly resolve: (reader: FrameReader) => void
  readonly reject: (error: Error) => void
  readonly spawn: Spawn | null
}

const receiveBytes = 256 * 1024

export interface HostHello {
  readonly granted: boolean
  readonly pid: number
}

export class HostLink implements PtyHost {
  readonly #socket: Socket
  readonly #splitter = new FrameSplitter()
  readonly #requests = new Map<number, OpenRequest>()
  readonly #listed = new Map<number, KeptSession[]>()
  readonly #events = new Map<number, PtyEvents>()
  readonly #gone: () => void
  #lastRequest = 0
  #pid = 0
  #greeted: ((hello: HostHello) => void) | null = null
  #outbox: Buffer[] = []
  #isGone = false

  private constructor(socket: Socket, gone: () => void) {
    this.#socket = socket
    this.#gone = gone
    socket.on('close', () => this.#lost())
    // 'close' follows every error and says all there is to say.
    socket.on('error', () => socket.destroy())
  }

  /** Errors: rejects when nothing listens at the path. `gone` is called when the host ends later. */
  static connect(path: string, gone: () => void): Promise<{ link: HostLink; hello: HostHello }> {
    return new Promise((resolve, reject) => {
      let link: HostLink | null = null
      const callback = (length: number, bytes: Uint8Array) => {
        if (link !== null) link.#receive(Buffer.from(bytes.buffer, bytes.byteOffset, length))
        return true
      }
      // One buffer for all that comes: a flood would fill the heap with them.
      const socket = connect({ path, onread: { buffer: Buffer.alloc(receiveBytes), callback } })
      socket.once('error', reject)
      // A host that is just going away takes the connection and closes it without a word.
      socket.once('close', () => reject(hostGone()))
      socket.once('connect', () => {
        socket.off('error', reject)
        const made = new HostLink(socket, gone)
        link = made
        made.#greeted = (hello) => resolve({ link: made, hello })
        made.#send(new FrameWriter(request.hello, 0).u32(protocolMagic).u16(protocolVersion))
      })
    })
  }

  get pid(): number {
    return this.#pid
  }

  async spawn(spawn: Spawn): Promise<{ readonly pid: number; readonly pty: Pty }> {
    const reader = await this.#ask(
      request.spawn,
      spawn.id,
      (frame) =>
        frame
          .u16(spawn.cols)
          .u16(spawn.rows)
          .u32(spawn.logBytes)
          .blob(spawn.meta)
          .blob(spawn.cwd)
          .blobs(spawn.argv)
          .blobs(Object.entries(spawn.env).map(([name, value]) => `${name}=${value}`)),
      spawn,
    )
    return { pid: reader.u32(), pty: this.find(spawn.id) }
  }

  async list(): Promise<readonly KeptSession[]> {
    const number = this.#lastRequest + 1
    this.#listed.set(number, [])
    await this.#ask(request.list, 0, (frame) => frame)
    const sessions = this.#listed.get(number) ?? []
    this.#listed.delete(number)
    return sessions
  }

  find(id: number): Pty {
    return {
      attach: (from, events) => this.#attach(id, from, events),
      ack: (offset) => this.#send(new FrameWriter(request.ack, id).u64(offset)),
      write: (bytes) => this.#write(id, bytes),
      resize: (size) => this.#resize(id, size),
      signal: async (signal) => {
        await this.#ask(request.signal, id, (frame) => frame.u32(signal))
      },
      note: (meta) => this.#send(new FrameWriter(request.meta, id).raw(Buffer.from(meta))),
      watch: (on) => this.#send(new FrameWriter(request.watch, id).u8(on ? 1 : 0)),
      close: async ({ graceMs, leaveDaemons }) => {
        const reader = await this.#ask(request.close, id, (frame) => frame.u16(graceMs).u8(leaveDaemons ? 1 : 0))
        this.#events.delete(id)
        return { survivors: reader.u32() }
      },
    }
  }

  async costs(): Promise<LookCosts> {
    const reader = await this.#ask(request.stats, 0, (frame) => frame)
    return { looks: reader.u64(), cpuMs: reader.u64() / 1e6 }
  }

  async shutdown(): Promise<void> {
    await this.#ask(request.shutdown, 0, (frame) => frame)
  }

  disconnect(): void {
    this.#socket.destroy()
  }

  #attach(id: number, from: Offset, events: PtyEvents): void {
    this.#events.set(id, events)
    this.#send(new FrameWriter(request.attach, id).u64(from))
  }

  async #write(id: number, bytes: Uint8Array): Promise<WriteResult> {
    const writes: Promise<FrameReader>[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += writePieceBytes) {
      const part = bytes.subarray(at, at + writePieceBytes)
      writes.push(this.#ask(request.write, id, (frame) => frame.raw(part)))
    }
    const results = (await Promise.all(writes)).map(readWritten)
    return results.find(({ result }) => result !== 'written') ?? { result: 'written' }
  }

  async #resize(id: number, size: Size): Promise<void> {
    await this.#ask(request.resize, id, (frame) => frame.u16(size.cols).u16(size.rows))
  }

  #ask(type: number, session: number, fill: (frame: FrameWriter) => FrameWriter, spawn: Spawn | null = null) {
    const number = ++this.#lastRequest
    return new Promise<FrameReader>((resolve, reject) => {
      if (this.#isGone) {
        reject(hostGone())
        return
      }
      // What cannot be written as a frame is thrown here, before anybody waits for its answer.
      const frame = fill(new FrameWriter(type, session).u32(number))
      this.#requests.set(number, { resolve, reject, spawn })
      this.#send(frame)
    })
  }

  /** Frames of one turn go out in one system call. */
  #send(frame: FrameWriter): void {
    if (this.#isGone) return
    this.#outbox.push(frame.finish())
    if (this.#outbox.length > 1) return
    queueMicrotask(() => {
      const frames = this.#outbox
      this.#outbox = []
      const [only] = frames
      if (!this.#isGone) this.#socket.write(frames.length === 1 && only ? only : Buffer.concat(frames))
    })
  }

  #receive(bytes: Buffer): void {
    for (const frame of this.#splitter.push(bytes)) this.#handle(frame)
  }

  #handle({ type, session, payload }: Frame): void {
    // An answer is read later by whoever asked; output at once.
    const reader = new FrameReader(type === answer.output ? payload : Buffer.from(payload))
    const events = this.#events.get(session)
    // Told at once, not with the promise: output may stand behind it in the same piece.
    if (type === answer.written) events?.written?.(readWrittenEvent(payload))
    if (type === answer.resized) tellResize(events, payload)
    if (type === answer.output) events?.output(reader.u64(), reader.rest())
    else if (type === answer.facts) events?.facts(readFacts(reader))
    else if (type === answer.exit) events?.exit(readExit(reader))
    else if (type === answer.hello) this.#hello(reader)
    else if (type === answer.session) this.#listed.get(reader.u32())?.push(readKeptSession(session, reader))
    else if (type === answer.error) this.#refused(reader)
    else if (type === answer.spawned) this.#spawned(reader)
    else if (type !== answer.attached) this.#take(reader.u32())?.resolve(reader)
  }

  #hello(reader: FrameReader): void {
    reader.u16()
    this.#pid = reader.u32()
    reader.u32()
    this.#greeted?.({ granted: reader.u8() === 1, pid: this.#pid })
  }

  #spawned(reader: FrameReader): void {
    const open = this.#take(reader.u32())
    const rest = new FrameReader(reader.rest())
    reader.u32()
    const [error, stage] = [reader.i32(), reader.u8()]
    if (error === 0) open?.resolve(rest)
    else open?.reject(spawnFailure(error, stage, open.spawn))
  }

  #refused(reader: FrameReader): void {
    const open = this.#take(reader.u32())
    const errno = reader.i32()
    const message = reader.blob()
    // Notes, acknowledgements and watches have no number: they are about a session that has just gone.
    open?.reject(hostRefusal(errno, message))
  }

  #take(number: number): OpenRequest | undefined {
    const open = this.#requests.get(number)
    this.#requests.delete(number)
    return open
  }

  #lost(): void {
    if (this.#isGone) return
    this.#isGone = true
    for (const { reject } of this.#requests.values()) reject(hostGone())
    this.#requests.clear()
    this.#events.clear()
    this.#gone()
  }
}

function hostGone(): TermError {
  return new TermError(
    'host_gone',
    'The process that owns the terminals has ended.',
    'Open a new terminal; the old ones are gone.',
  )
}

function tellResize(events: PtyEvents | undefined, payload: Buffer): void {
  const reader = new FrameReader(payload)
  reader.u32()
  const offset = reader.u64()
  events?.resized?.(offset, { cols: reader.u16(), rows: reader.u16() })
}
