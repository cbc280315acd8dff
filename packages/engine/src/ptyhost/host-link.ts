/**
 * The engine's end of the socket to ptyhost.
 *
 * Requests and their answers are matched by number; output, exits and facts go to the attached session.
 * When the host goes away every open request fails with `host_gone` and `gone` is called once.
 */

import { connect, type Socket } from 'node:net'
import {
  coalesced,
  type KeptSession,
  type NumberedInput,
  type Offset,
  type Pty,
  type PtyEvents,
  type PtyHost,
  type SampleCosts,
  type Spawn,
  TermError,
  type WriteResult,
  writePieceBytes,
} from '@agentpty/protocol'
import { parseGateMessage, writeGateAnswer } from '@agentpty/protocol/effects'
import { decodePayload, encodeFrame, type Frame, FrameSplitter, type Values } from './frames.ts'
import { holdTree } from './hold-tree.ts'
import {
  type Asked,
  hostRefusal,
  nanosecondsPerMs,
  OpenRequests,
  readExit,
  readFacts,
  readKeptSession,
  readWriteResult,
  spawnFailure,
} from './host-answers.ts'
import {
  answers,
  type Fields,
  type FrameRow,
  protocolMagic,
  protocolVersion,
  type RequestRow,
  requests,
} from './protocol.ts'

const receiveBytes = 256 * 1024

export interface HostHello {
  readonly granted: boolean
  readonly pid: number
}

type FrameHandler = (frame: Frame) => void

export class HostLink implements PtyHost {
  readonly #socket: Socket
  readonly #splitter = new FrameSplitter()
  readonly #requests = new OpenRequests()
  /** Sessions received so far, by the number of the request for the list. */
  readonly #listed = new Map<number, KeptSession[]>()
  readonly #events = new Map<number, PtyEvents>()
  readonly #handlers: ReadonlyMap<number, FrameHandler> = this.#makeHandlers()
  readonly #gone: () => void
  #pid = 0
  #dropsInput = false
  #greeted: ((hello: HostHello) => void) | null = null
  #outbox: Buffer[] = []
  readonly #flushSoon = coalesced(() => this.#flush())
  #isGone = false

  private constructor(socket: Socket, gone: () => void) {
    this.#socket = socket
    this.#gone = gone
    socket.on('close', () => this.#lost())
    // 'close' follows every error and is handled there.
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
      // A host that is about to end accepts the connection and closes it immediately.
      socket.once('close', () => reject(hostGone()))
      socket.once('connect', () => {
        socket.off('error', reject)
        const made = new HostLink(socket, gone)
        link = made
        made.#greeted = (hello) => resolve({ link: made, hello })
        made.#send(encodeFrame(requests.hello, 0, { magic: protocolMagic, version: protocolVersion }))
      })
    })
  }

  get pid(): number {
    return this.#pid
  }

  async spawn(spawn: Spawn): Promise<{ readonly pid: number; readonly pty: Pty }> {
    const { pid, errno, stage } = await this.#ask(requests.spawn, spawn.id, {
      ...spawn,
      ringBytes: spawn.logBytes,
      env: Object.entries(spawn.env).map(([name, value]) => `${name}=${value}`),
      ptmx: spawn.ptmx ?? '',
      gate: spawn.gate ?? '',
    })
    if (errno !== 0) throw spawnFailure(errno, stage, spawn)
    return { pid, pty: this.find(spawn.id) }
  }

  async list(): Promise<readonly KeptSession[]> {
    const { number, answer } = this.#open(requests.list, 0, {})
    const sessions: KeptSession[] = []
    this.#listed.set(number, sessions)
    try {
      await answer
      return sessions
    } finally {
      this.#listed.delete(number)
    }
  }

  hold(program: number, how: 'stop' | 'continue'): Promise<number> {
    return holdTree(program, this.#pid, how)
  }

  find(id: number): Pty {
    return {
      attach: (from, events) => this.#attach(id, from, events),
      ack: (offset) => this.#send(encodeFrame(requests.ack, id, { offset })),
      write: (bytes, numbered) => this.#write(id, bytes, numbered),
      dropInput: () => this.#dropInput(id),
      resize: async ({ cols, rows }) => {
        await this.#ask(requests.resize, id, { cols, rows })
      },
      signal: async (signal) => {
        await this.#ask(requests.signal, id, { signal })
      },
      note: (meta) => this.#send(encodeFrame(requests.meta, id, { meta: Buffer.from(meta) })),
      answerGate: (message) => this.#send(encodeFrame(requests.gate, id, { message: writeGateAnswer(message) })),
      watch: (on) => this.#send(encodeFrame(requests.watch, id, { on })),
      close: async ({ graceMs, leaveDaemons }) => {
        const { survivors } = await this.#ask(requests.close, id, { graceMs, leaveDaemons })
        this.#events.delete(id)
        return { survivors }
      },
    }
  }

  async costs(): Promise<SampleCosts> {
    const { samples, cpuNs } = await this.#ask(requests.stats, 0, {})
    return { samples, cpuMs: cpuNs / nanosecondsPerMs }
  }

  async shutdown(): Promise<void> {
    // The host answers before it ends. It has gone once the kernel has closed its descriptors.
    const ended = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
    await this.#ask(requests.shutdown, 0, {})
    await ended
  }

  disconnect(): void {
    this.#socket.destroy()
  }

  #attach(id: number, from: Offset, events: PtyEvents): void {
    this.#events.set(id, events)
    this.#send(encodeFrame(requests.attach, id, { from }))
  }

  async #write(id: number, bytes: Uint8Array, numbered?: NumberedInput): Promise<WriteResult> {
    if (numbered !== undefined && this.#dropsInput)
      return readWriteResult(await this.#ask(requests.writeOnce, id, { ...numbered, input: bytes }))
    const writes: Promise<Values<typeof answers.written.fields>>[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += writePieceBytes) {
      writes.push(this.#ask(requests.write, id, { input: bytes.subarray(at, at + writePieceBytes) }))
    }
    const results = (await Promise.all(writes)).map(readWriteResult)
    return results.find(({ result }) => result !== 'written') ?? { result: 'written' }
  }

  /** A host that is older than this keeps what it has taken. */
  async #dropInput(id: number): Promise<number> {
    if (!this.#dropsInput) return 0
    const { droppedBytes } = await this.#ask(requests.dropInput, id, {})
    return droppedBytes
  }

  /** Resolves with the answer that the table names for this request. Errors: as of {@link #open}, and those of the host. */
  #ask<F extends Fields, A extends Fields>(
    row: RequestRow<F, A>,
    session: number,
    values: Omit<Values<F>, 'request'>,
  ): Promise<Values<A>> {
    return this.#open(row, session, values).answer
  }

  /** The request's number is added here. Errors: throws `host_gone`, and for values that cannot be written as a frame. */
  #open<F extends Fields, A extends Fields>(
    row: RequestRow<F, A>,
    session: number,
    values: Omit<Values<F>, 'request'>,
  ): Asked<A> {
    if (this.#isGone) throw hostGone()
    return this.#requests.open(row.answer, (request) =>
      this.#send(encodeFrame(row, session, { ...values, request } as Values<F>)),
    )
  }

  /** Frames of one turn go out in one system call. */
  #send(frame: Buffer): void {
    if (this.#isGone) return
    this.#outbox.push(frame)
    this.#flushSoon()
  }

  #flush(): void {
    const frames = this.#outbox
    this.#outbox = []
    const [only] = frames
    if (!this.#isGone) this.#socket.write(frames.length === 1 && only ? only : Buffer.concat(frames))
  }

  #receive(bytes: Buffer): void {
    for (const frame of this.#splitter.push(bytes)) this.#handlers.get(frame.type)?.(frame)
  }

  /** One handler per kind of answer. `attached` adds nothing to what the first output says. */
  #makeHandlers(): ReadonlyMap<number, FrameHandler> {
    const events = (session: number) => this.#events.get(session)
    return new Map([
      handler(answers.output, ({ offset, output }, session) => events(session)?.output(offset, output)),
      handler(answers.facts, (facts, session) => events(session)?.facts(readFacts(facts))),
      handler(answers.gate, ({ message }, session) => {
        const parsed = parseGateMessage(message)
        if (parsed !== null) events(session)?.gate?.(parsed)
      }),
      handler(answers.exit, (exit, session) => events(session)?.exit(readExit(exit))),
      handler(answers.written, (written, session) => {
        // The event comes before the promise resolves: output may follow in the same piece.
        events(session)?.written?.({ echoes: written.echoes, inputWritten: written.inputWritten })
        this.#requests.resolve(written.request, answers.written, written)
      }),
      handler(answers.resized, (resized, session) => {
        events(session)?.resized?.(resized.offset, { cols: resized.cols, rows: resized.rows })
        this.#requests.resolve(resized.request, answers.resized, resized)
      }),
      handler(answers.hello, ({ granted, pid, dropsInput }) => {
        this.#pid = pid
        this.#dropsInput = dropsInput
        this.#greeted?.({ granted, pid })
      }),
      handler(answers.session, (kept, session) => {
        this.#listed.get(kept.request)?.push(readKeptSession(session, kept))
      }),
      // Notes, acknowledgements and watches have no number: they are about a session that has just gone.
      handler(answers.error, ({ request, errno, message }) => {
        this.#requests.reject(request, hostRefusal(errno, message))
      }),
      ...[answers.spawned, answers.listed, answers.done, answers.closed, answers.stats].map((row) =>
        this.#settling(row),
      ),
    ])
  }

  /** A kind of answer that concerns only the request it answers. */
  #settling<F extends Fields & { readonly request: 'u32' }>(row: FrameRow<F>): [number, FrameHandler] {
    return handler(row, (values) => this.#requests.resolve(values.request, row, values))
  }

  #lost(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#requests.rejectAll(hostGone)
    this.#events.clear()
    this.#gone()
  }
}

function handler<F extends Fields>(
  row: FrameRow<F>,
  handle: (values: Values<F>, session: number) => void,
): [number, FrameHandler] {
  return [row.type, ({ payload, session }) => handle(decodePayload(row, payload), session)]
}

function hostGone(): TermError {
  return new TermError(
    'host_gone',
    'The process that owns the terminals has ended.',
    'Open a new terminal; the old ones are gone.',
  )
}
