/** The client of a daemon: everything of the port, as messages over a wire. */

import { type CallOptions, type WireOptions, wireOptionsOf } from '../call/call-context.ts'
import type { Client, Control, Tools } from '../client.ts'
import { TermError } from '../errors.ts'
import { streamEventsAheadMax } from '../limits.ts'
import type { ToolAnswer } from '../mcp/tool.ts'
import type { FollowOptions, SessionEvent, TerminalsEvent, WatchOptions } from '../session/events.ts'
import type { OverviewEvent, OverviewOptions } from '../session/overview-event.ts'
import type { VerbInput, VerbName, VerbOutput } from '../verbs/verbs.ts'
import type { DaemonStatus } from './handshake.ts'
import { type JsonObject, parseObject } from './line-wire.ts'
import { fromWireError, fromWireEvent } from './messages.ts'
import type { Wire } from './wire.ts'

interface Request {
  readonly method: string
  readonly params: unknown
  readonly signal?: AbortSignal | undefined
  /** None when empty. */
  readonly options?: WireOptions | undefined
  readonly progress?: CallOptions['progress']
  /** For a stream: gets each event. */
  readonly event?: (data: unknown) => void
}

interface OpenCall extends Request {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export class WireClient implements Client {
  readonly tools: Tools = {
    call: (toolset, tool, input, { signal } = {}) =>
      this.#ask({ method: 'tool', params: { toolset, tool, input }, signal }) as Promise<ToolAnswer>,
  }
  readonly control: Control = {
    status: () => this.#ask({ method: 'daemon.status', params: {} }) as Promise<DaemonStatus>,
    stop: async (options) => void (await this.#ask({ method: 'daemon.stop', params: options })),
  }
  readonly #wire: Wire
  readonly #calls = new Map<number, OpenCall>()
  #lastId = 0
  #isGone = false

  constructor(wire: Wire) {
    this.#wire = wire
    wire.open({ message: (text) => this.#handle(parseObject(text) ?? {}), closed: () => this.#lost() })
  }

  call<Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    { signal, progress, ...rest }: CallOptions = {},
  ): Promise<VerbOutput<Name>> {
    const options = wireOptionsOf(rest)
    return this.#ask({ method: name, params: input, options, signal, progress }) as Promise<VerbOutput<Name>>
  }

  follow(
    terminalId: string,
    { output, frames, turn = false, lease = false, echo = false, ahead, signal }: FollowOptions,
  ): AsyncIterable<SessionEvent> {
    const from = output !== undefined && 'since' in output ? { since: output.since } : { fromScreen: output && true }
    const params = { terminalId, ...from, frames, turn, lease, echo, ahead }
    return this.#stream({ method: 'follow', params, signal }, fromWireEvent, ahead)
  }

  watch(options: OverviewOptions): AsyncIterable<OverviewEvent>
  watch(options?: WatchOptions): AsyncIterable<TerminalsEvent>
  watch({ overview, signal }: WatchOptions | OverviewOptions = {}): AsyncIterable<TerminalsEvent | OverviewEvent> {
    const read = (data: unknown) => data as TerminalsEvent | OverviewEvent
    return this.#stream({ method: 'watch', params: { overview }, signal }, read)
  }

  async close(): Promise<void> {
    this.#wire.close()
  }

  async *#stream<Event>(request: Request, read: (data: unknown) => Event, ahead?: number): AsyncGenerator<Event, void> {
    const over = new AbortController()
    const signal = request.signal === undefined ? over.signal : AbortSignal.any([over.signal, request.signal])
    const arrived = new ArrivedEvents<Event>((count) => this.#send({ read: id, count }), ahead)
    const event = (data: unknown) => arrived.push(read(data))
    const { id, answer } = this.#open({ ...request, signal, event })
    answer.then(
      () => arrived.end(),
      (error: unknown) => arrived.end(error),
    )
    try {
      yield* arrived.read()
    } finally {
      over.abort()
    }
  }

  #ask(request: Request): Promise<unknown> {
    return this.#open(request).answer
  }

  #open(request: Request): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#lastId
    const { method, params, options, signal } = request
    if (this.#isGone) return { id, answer: Promise.reject(daemonGone()) }
    const answer = new Promise<unknown>((resolve, reject) => {
      const cancel = () => this.#send({ cancel: id })
      const settle =
        <Value>(pass: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', cancel)
          pass(value)
        }
      this.#calls.set(id, { ...request, resolve: settle(resolve), reject: settle(reject) })
      this.#send({ id, method, params, options })
      signal?.addEventListener('abort', cancel, { once: true })
      if (signal?.aborted) cancel()
    })
    return { id, answer }
  }

  #send(message: JsonObject): void {
    this.#wire.send(JSON.stringify(message))
  }

  #handle(message: JsonObject): void {
    const { id, progress, event, result, error } = message
    if (typeof event === 'number') {
      this.#calls.get(event)?.event?.(message['data'])
    } else if (typeof progress === 'number') {
      this.#calls.get(progress)?.progress?.(Number(message['waitedMs']), Number(message['totalMs']))
    } else if (typeof id === 'number') {
      const call = this.#calls.get(id)
      this.#calls.delete(id)
      if (error === undefined) call?.resolve(result)
      else call?.reject(fromWireError(error))
    }
  }

  #lost(): void {
    this.#isGone = true
    for (const { reject } of this.#calls.values()) reject(daemonGone())
    this.#calls.clear()
  }
}

export function daemonGone(): TermError {
  return new TermError(
    'daemon_gone',
    'The agentpty daemon ended during the call. Its terminals and their output stay, unless it was stopped with all of them.',
    'Call again: a new daemon takes the terminals over. Were you typing? Then look first with terminal_read since your last cursor: it may have arrived.',
  )
}

/**
 * Events of one stream that have arrived and not been read. The other side sends at most {@link streamEventsAheadMax}
 * more than it knows to be read, so a slow reader delays its own stream, but no other stream and no answer to a call.
 */
class ArrivedEvents<Event> {
  readonly #events: Event[] = []
  readonly #acknowledge: (count: number) => void
  /** How many the other side sends unread. */
  readonly #ahead: number
  #unacknowledged = 0
  #ending: { readonly error: unknown } | null = null
  #wake: () => void = () => {}

  /** `acknowledge` is called with how many more have been read. */
  constructor(acknowledge: (count: number) => void, ahead = streamEventsAheadMax) {
    this.#ahead = ahead
    this.#acknowledge = acknowledge
  }

  push(event: Event): void {
    this.#events.push(event)
    this.#wake()
  }

  /** Nothing more comes. The reader gets an error, if there is one, after the last event. */
  end(error: unknown = null): void {
    this.#ending = { error }
    this.#wake()
  }

  async *read(): AsyncGenerator<Event, void> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined) {
        yield event
        this.#wasRead()
      } else if (this.#ending === null) {
        await new Promise<void>((resolve) => (this.#wake = resolve))
      } else {
        if (this.#ending.error !== null) throw this.#ending.error
        return
      }
    }
  }

  #wasRead(): void {
    this.#unacknowledged += 1
    if (this.#unacknowledged < this.#ahead / 2 || this.#ending !== null) return
    this.#acknowledge(this.#unacknowledged)
    this.#unacknowledged = 0
  }
}
