/** A fake daemon: records calls, and lets a test decide what happens in a terminal. */

import type { FollowOptions, OverviewRow, SessionEvent } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'

export class FakeDaemon {
  readonly calls: (readonly [verb: string, input: Readonly<Record<string, unknown>>])[] = []
  readonly follows: FakeFollow[] = []
  /** The results by verb; an error is thrown. */
  readonly answers = new Map<string, unknown>()

  get client(): WireClient {
    const client = {
      call: async (verb: string, input: Readonly<Record<string, unknown>>) => {
        this.calls.push([verb, input])
        const answer = this.answers.get(verb) ?? {}
        if (answer instanceof Error) throw answer
        return answer
      },
      follow: (terminalId: string, options: FollowOptions) => {
        const follow = new FakeFollow(terminalId, options)
        this.follows.push(follow)
        return follow
      },
    }
    return client as unknown as WireClient
  }

  inputsOf(verb: string): readonly Readonly<Record<string, unknown>>[] {
    return this.calls.filter(([name]) => name === verb).map(([, input]) => input)
  }

  /** The newest open follow. */
  get follow(): FakeFollow {
    const found = this.follows.findLast(({ options }) => options.signal?.aborted !== true)
    if (found === undefined) throw new Error('No client follows.')
    return found
  }
}

export class FakeFollow implements AsyncIterable<SessionEvent> {
  readonly terminalId: string
  readonly options: FollowOptions
  readonly #events: SessionEvent[] = []
  #error: Error | null = null
  #wake: () => void = () => {}

  constructor(terminalId: string, options: FollowOptions) {
    this.terminalId = terminalId
    this.options = options
  }

  /** Resolves once the events were read. */
  async send(...events: readonly SessionEvent[]): Promise<void> {
    this.#events.push(...events)
    this.#wake()
    await settled()
  }

  async fail(error: Error): Promise<void> {
    this.#error = error
    this.#wake()
    await settled()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void> {
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event
      if (this.#error !== null) throw this.#error
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }
}

/** Resolves after all started work has run as far as possible without external events. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export const rowOf = (terminalId: string, other: Partial<OverviewRow> = {}): OverviewRow => ({
  terminalId,
  name: null,
  title: '',
  viewers: 0,
  program: 'bash',
  cwd: '/work',
  parentId: null,
  agent: null,
  state: 'ready',
  kind: 'shell',
  exitCode: null,
  signal: null,
  since: 0,
  isPaused: false,
  clientEndedAt: null,
  isSandboxed: false,
  mayType: 'both',
  takenBy: null,
  need: null,
  size: { cols: 80, rows: 24 },
  lastOutputAt: null,
  ...other,
})
