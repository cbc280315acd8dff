/** One environment, for programs: reset and stepped through as gymnasium does. */

import { type Client, defined, type Millis } from '@agentpty/protocol'
import type { Action, EnvironmentInput, ResetResult, StepResult, TaskAbout, Verification } from '@agentpty/protocol/gym'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { inLibraryWords } from './approving.ts'
import { Session } from './session.ts'

export interface ResetOptions {
  /** A whole number; programs find it as PYTHONHASHSEED. */
  readonly seed?: number
}

export interface StepOptions {
  /** A shorter bound than `stepTimeoutMs`, for this step. */
  readonly timeoutMs?: Millis
}

export interface ExecResult {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** Null when it was ended after its time. */
  readonly exitCode: number | null
  /** The bytes of output beyond the first 8 MiB of each stream. */
  readonly droppedBytes: number
}

export type ExecOptions = Omit<VerbInput<'execInEnvironment'>, 'environmentId' | 'command' | 'input'> & {
  readonly input?: Uint8Array | string
}

export class Env implements AsyncDisposable {
  readonly client: Client
  readonly made: VerbOutput<'makeEnvironment'>
  readonly #close: () => Promise<void>
  #terminalId: string | null = null
  #closed: Promise<void> | null = null

  private constructor(client: Client, made: VerbOutput<'makeEnvironment'>, close: () => Promise<void>) {
    this.client = client
    this.made = made
    this.#close = close
  }

  /** `close` is called once this one is closed. Errors: as `makeEnvironment`. */
  static async make(client: Client, input: EnvironmentInput, close = async () => {}): Promise<Env> {
    return new Env(client, await inLibraryWords(client.call('makeEnvironment', input)), close)
  }

  /** Starts an episode. A failure of the machinery is in `info.infraError`. */
  async reset({ seed }: ResetOptions = {}): Promise<ResetResult> {
    const result = await this.client.call('resetEnvironment', defined({ ...this.#id, seed }))
    this.#terminalId = result.info.terminalId
    return result
  }

  /** Resolves as soon as it is your turn again, or the step has taken too long. Errors: `invalid_input` once the episode is over. */
  async step(action: Action, { timeoutMs }: StepOptions = {}): Promise<StepResult> {
    return inLibraryWords(this.client.call('stepEnvironment', defined({ ...this.#id, action, timeoutMs })))
  }

  /** The task's description; null without a task. */
  get task(): TaskAbout | null {
    return this.made.task ?? null
  }

  /**
   * Ends the episode, with every program inside, and lets the verifier of the task judge it. The last step of an episode has been judged
   * already, and the same result is returned again. Errors: `invalid_input` without a task or an episode.
   */
  async verify(): Promise<Verification> {
    return inLibraryWords(this.client.call('verifyEnvironment', this.#id))
  }

  /** Returns the screen as a person would see it: `ansi` with colours as escape sequences. */
  async render(format: 'ansi' | 'text' | 'plain' | 'html' = 'ansi'): Promise<string> {
    const { screen } = await this.terminal.screen({ format })
    return screen
  }

  /** The terminal of its program, between two resets. Errors: throws before the first one. */
  get terminal(): Session {
    if (this.#terminalId === null) throw new Error('It has no terminal yet. Reset it first.')
    return new Session(this.client, this.#terminalId)
  }

  /** Runs a command outside the terminal, on pipes: for programs that prepare and judge. */
  async exec(command: string | string[], { input, ...options }: ExecOptions = {}): Promise<ExecResult> {
    const stdin = input === undefined ? undefined : Buffer.from(input).toString('base64')
    const asked = defined({ ...this.#id, command, ...options, input: stdin })
    const { stdout, stderr, exitCode, droppedBytes = 0 } = await this.client.call('execInEnvironment', asked)
    return { stdout: Buffer.from(stdout, 'base64'), stderr: Buffer.from(stderr, 'base64'), exitCode, droppedBytes }
  }

  /** Returns a second environment with the same progress, by the same actions or with the same files. The caller closes it separately. */
  async fork(how: 'replay' | 'files' = 'replay'): Promise<Fork> {
    const { environmentId, task, ...come } = await this.client.call('forkEnvironment', { ...this.#id, how })
    const env = new Env(this.client, defined({ ...this.made, environmentId, task }), async () => {})
    env.#terminalId = come.info.terminalId
    return { env, ...come }
  }

  /** Closes it and removes its files. A second call does nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce()
    return this.#closed
  }

  async #closeOnce(): Promise<void> {
    await this.client.call('closeEnvironment', this.#id)
    await this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #id() {
    return { environmentId: this.made.environmentId }
  }
}

export interface Fork extends ResetResult {
  readonly env: Env
  /** Actions that were taken again, and the first step that has shown something else; null: none. */
  readonly replayed: number
  readonly differsAt: number | null
}
