/** The one environment of a runtime: it is made when it is first needed, and also runs programs outside its terminals. */

import { defined, ignoring, type ServerClient } from '@agentpty/protocol'
import { type EnvironmentSpec, type ExecResult, stepMsMax } from '@agentpty/protocol/gym'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { Swerexception } from './contract.ts'

type ExecOptions = Omit<VerbInput<'execInEnvironment'>, 'environmentId' | 'command' | 'input'> & {
  readonly input?: Uint8Array
}

export class RuntimeContainer {
  readonly #client: ServerClient
  readonly #spec: EnvironmentSpec
  #made: Promise<string> | null = null

  constructor(client: ServerClient, spec: EnvironmentSpec) {
    this.#client = client
    this.#spec = spec
  }

  /** Returns its environment. Errors: {@link Swerexception} when there can be none. */
  id(): Promise<string> {
    if (this.#made === null) {
      const made = this.#make()
      this.#made = made
      // The caller receives the error; the next request tries again.
      made.catch(() => {
        if (this.#made === made) this.#made = null
      })
    }
    return this.#made
  }

  async #make(): Promise<string> {
    const { environmentId } = await this.#client.call('makeEnvironment', this.#spec)
    const { info } = await this.#client.call('resetEnvironment', { environmentId })
    if (info.infraError === undefined) return environmentId
    await this.#client.call('closeEnvironment', { environmentId })
    throw new Swerexception('other', info.infraError.message, { infra_error: info.infraError })
  }

  /** A list is run as a program with its arguments, a string by bash. */
  async exec(command: string | readonly string[], { input, ...options }: ExecOptions = {}): Promise<ExecResult> {
    const done = await this.#client.call('execInEnvironment', {
      environmentId: await this.id(),
      command: typeof command === 'string' ? command : [...command],
      timeoutMs: stepMsMax,
      ...options,
      ...defined({ input: input === undefined ? undefined : Buffer.from(input).toString('base64') }),
    })
    return {
      stdout: Buffer.from(done.stdout, 'base64'),
      stderr: Buffer.from(done.stderr, 'base64'),
      droppedBytes: done.droppedBytes ?? 0,
      exitCode: done.exitCode,
    }
  }

  /** Removes everything; a later request makes a new one. */
  async close(): Promise<void> {
    const made = this.#made
    this.#made = null
    const environmentId = await made?.catch(() => undefined)
    if (environmentId === undefined) return
    await this.#client.call('closeEnvironment', { environmentId }).catch(ignoring('environment_not_found'))
  }
}
