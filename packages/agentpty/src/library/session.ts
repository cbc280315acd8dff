/**
 * One terminal, for programs. Every method is a verb of the API with the same words and the same results; see docs/tools.md.
 *
 * Three words differ, each a shorter name besides the verb's own: `press` presses one key without a list, `screen` is
 * `screenshot`, and `enter` is `newline`. `timeoutMs` is `waitTimeoutMs` everywhere, as in `run`, and not bounded by
 * how long one call can last. `terminalId` is the session's `id`, and is never asked for.
 *
 * Sizes are cells, durations milliseconds, offsets bytes of output since the terminal was opened.
 */

import {
  type Client,
  columnsMax,
  defined,
  ignoring,
  outputBytesDefault,
  rowsMax,
  type Size,
  waitMsMax,
} from '@agentpty/protocol'
import { joinOutput, type WaitFor } from '@agentpty/protocol/call'
import type { Frame, SessionEvent } from '@agentpty/protocol/session'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { inLibraryWords } from './approving.ts'

/** The result of a verb that uses the terminal: the new text, how the wait ended, whose turn it is. */
export type Observation = VerbOutput<'read'>
/** The result of keys, and how each was understood and sent. */
export type KeysPressed = Observation & Pick<VerbOutput<'sendKeys'>, 'keys' | 'sequences'>
export type ScreenView = VerbOutput<'screenshot'>
export type CommandResult = VerbOutput<'run'>

export interface WaitOptions {
  readonly waitFor?: WaitFor
  /** At most this many ms; default 30,000. A wait that is longer than a call may last takes several calls. */
  readonly timeoutMs?: number
  /** The same, by the verb's name; `timeoutMs` takes precedence. */
  readonly waitTimeoutMs?: number
}

export interface SendOptions extends WaitOptions {
  /** Press Enter after the text; default true. */
  readonly newline?: boolean
  /** The same, shorter; `newline` takes precedence. */
  readonly enter?: boolean
  /** The text instructs an agent: typed only when it is idle, never into a dialog. */
  readonly instruct?: boolean
}

export type RunOptions = Pick<WaitOptions, 'timeoutMs' | 'waitTimeoutMs'> & Pick<VerbInput<'run'>, 'cwd' | 'clearLine'>
export type ReadOptions = WaitOptions & Omit<VerbInput<'read'>, 'terminalId' | 'waitFor' | 'waitTimeoutMs'>
export type ScreenOptions = Omit<VerbInput<'screenshot'>, 'terminalId'>

export interface EventOptions {
  /** An event at each change of turn; default true. Costs samples of the program while a reader listens. */
  readonly turns?: boolean
  readonly signal?: AbortSignal
}

/** The snapshot comes first, then every event once: output continues exactly where the snapshot ends. */
export type TerminalEvent =
  | { readonly type: 'snapshot'; readonly frame: Frame }
  | Extract<SessionEvent, { type: 'output' | 'turn' | 'exit' }>

/** Errors of every method: `session_not_found` once it is closed; `daemon_gone`, `host_gone` when the server has ended. */
export class Session implements AsyncDisposable {
  readonly id: string
  readonly #client: Client
  readonly #release: () => Promise<void>

  /** Made by {@link Terminals}. `release` runs once the terminal is closed. */
  constructor(client: Client, id: string, release: () => Promise<void> = async () => {}) {
    this.#client = client
    this.id = id
    this.#release = release
  }

  /** Types text and Enter, and waits until it is your turn again. Errors: `session_exited`, `needs_answer`, `agent_busy`. */
  async send(text: string, options: SendOptions = {}): Promise<Observation> {
    const { enter, newline = enter, instruct } = options
    const seen = await this.#call('send', defined({ text, newline, instruct, ...this.#waiting(options) }))
    return this.#continueWait({ ...seen, isActive: seen.state !== 'exited' }, options)
  }

  /** Presses keys: `ctrl+c`, `up`, `enter`, `x`. Errors: `unknown_key`, `session_exited`. */
  press(keys: string | readonly string[], options: WaitOptions = {}): Promise<KeysPressed> {
    return this.sendKeys(typeof keys === 'string' ? [keys] : keys, options)
  }

  /** The same, by the verb's name. Errors: as {@link press}. */
  async sendKeys(keys: readonly string[], options: WaitOptions = {}): Promise<KeysPressed> {
    const pressed = await this.#call('sendKeys', { keys: [...keys], ...this.#waiting(options) })
    const seen = await this.#continueWait({ ...pressed, isActive: pressed.state !== 'exited' }, options)
    return { ...seen, keys: pressed.keys, sequences: pressed.sequences }
  }

  /**
   * Runs commands in the terminal's shell to their end. Errors: `not_a_shell`, `shell_busy`; `line_not_empty` when its prompt has text,
   * which `clearLine` drops.
   */
  async run(command: string, options: RunOptions = {}): Promise<CommandResult> {
    const { waitTimeoutMs, timeoutMs = waitTimeoutMs, cwd, clearLine } = options
    const callMs = timeoutMs === undefined ? undefined : capped(timeoutMs)
    const began = await this.#call('run', defined({ command, cwd, clearLine, timeoutMs: callMs }))
    const wait = defined({ timeoutMs, waitFor: 'command' as const })
    const { isActive: _, ...ended } = await this.#continueWait({ ...began, isActive: true }, wait)
    return { ...began, ...ended }
  }

  /** Output from an offset on, after an optional wait. */
  async read(options: ReadOptions = {}): Promise<Observation> {
    const { waitFor, waitTimeoutMs, timeoutMs = waitTimeoutMs, ...rest } = options
    const seen = await this.#call('read', { ...rest, ...this.#waiting({ ...options, waitFor }) })
    return waitFor === undefined ? seen : this.#continueWait(seen, defined({ waitFor, timeoutMs }))
  }

  /**
   * Waits for your turn, or for another condition from `since` (default: now) on, and returns what was printed there.
   */
  async wait(
    waitFor: WaitFor = 'ready',
    options: { readonly since?: number; readonly timeoutMs?: number; readonly waitTimeoutMs?: number } = {},
  ): Promise<Observation> {
    return this.read({ ...options, waitFor, since: options.since ?? (await this.#end()) })
  }

  /** Returns the screen as a person would see it now. */
  screen(options: ScreenOptions = {}): Promise<ScreenView> {
    return this.#call('screenshot', options)
  }

  /** The same, by the verb's name. */
  screenshot(options: ScreenOptions = {}): Promise<ScreenView> {
    return this.screen(options)
  }

  async resize({ cols, rows }: Size): Promise<void> {
    await this.#call('resize', { cols, rows })
  }

  /** Errors: `name_taken`. */
  async rename(name: string): Promise<void> {
    await this.#call('rename', { name })
  }

  /** Yields the events from now on, until the program ends or the reader stops. A slow reader delays no other reader. */
  async *events({ turns = true, signal }: EventOptions = {}): AsyncGenerator<TerminalEvent, void> {
    const stop = defined({ signal })
    const frame = await this.#snapshot(stop)
    if (frame === null) return
    yield { type: 'snapshot', frame }
    for await (const event of this.#client.follow(this.id, { output: { since: frame.at }, turn: turns, ...stop }))
      if (event.type === 'output' || event.type === 'turn' || event.type === 'exit') yield event
  }

  /** Ends the program and everything it started. It is no error when the terminal is closed already. */
  async close(): Promise<void> {
    await this.#call('close', {}).catch(ignoring('session_not_found'))
    await this.#release()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #end(): Promise<number> {
    const { terminals } = await this.#client.call('list', {})
    return terminals.find(({ terminalId }) => terminalId === this.id)?.cursor ?? 0
  }

  async #snapshot(stop: { readonly signal?: AbortSignal }): Promise<Frame | null> {
    const whole = { cols: columnsMax, rows: rowsMax, isPinned: true }
    for await (const event of this.#client.follow(this.id, { frames: whole, ...stop })) {
      if (event.type !== 'frame') continue
      const { type: _, ...frame } = event
      return frame
    }
    return null
  }

  /** Continues the wait when one call had to end, and joins the outputs. */
  async #continueWait(
    first: Observation,
    { waitFor = 'ready', waitTimeoutMs = 0, timeoutMs = waitTimeoutMs }: WaitOptions,
  ): Promise<Observation> {
    let seen = first
    let leftMs = timeoutMs - waitMsMax
    // A program that uses the library waits for the answer of the person; agents are given the turn.
    while ((seen.outcome === 'timeout' || seen.outcome === 'needs_approval') && leftMs > 0) {
      const more = await this.#call('read', { since: seen.cursor, waitFor, waitTimeoutMs: capped(leftMs) })
      seen = { ...more, ...joinOutput(seen, more) }
      leftMs -= waitMsMax
    }
    return seen
  }

  #waiting({ waitFor, waitTimeoutMs, timeoutMs = waitTimeoutMs }: Waiting) {
    return defined({
      waitFor,
      waitTimeoutMs: timeoutMs === undefined ? undefined : capped(timeoutMs),
    })
  }

  #call<Name extends 'send' | 'sendKeys' | 'run' | 'read' | 'screenshot' | 'resize' | 'rename' | 'close'>(
    name: Name,
    input: Omit<VerbInput<Name>, 'terminalId'>,
  ): Promise<VerbOutput<Name>> {
    const asked = { ...input, terminalId: this.id } as VerbInput<Name>
    // A budget is named, so that a program gets every line unchanged.
    return inLibraryWords(this.#client.call(name, asked, { outputBytes: outputBytesDefault }))
  }
}

interface Waiting {
  readonly waitFor?: WaitFor | undefined
  readonly timeoutMs?: number
  readonly waitTimeoutMs?: number
}

const capped = (ms: number) => Math.min(ms, waitMsMax)
