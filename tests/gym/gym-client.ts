/** Environments through the verbs, as every client has them. */

import type { Client } from '@agentpty/protocol'
import type { Action, EnvironmentInput } from '@agentpty/protocol/gym'
import type { VerbOutput } from '@agentpty/protocol/verbs'

export class GymClient {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async make(input: EnvironmentInput): Promise<TestEnvironment> {
    return new TestEnvironment(this.#client, await this.#client.call('makeEnvironment', input))
  }
}

export class TestEnvironment {
  readonly #client: Client
  readonly made: VerbOutput<'makeEnvironment'>

  constructor(client: Client, made: VerbOutput<'makeEnvironment'>) {
    this.#client = client
    this.made = made
  }

  resetAnyhow(seed?: number): Promise<VerbOutput<'resetEnvironment'>> {
    const { environmentId } = this.made
    return this.#client.call('resetEnvironment', seed === undefined ? { environmentId } : { environmentId, seed })
  }

  /** Errors: faults of the machinery. */
  async reset(seed?: number): Promise<VerbOutput<'resetEnvironment'>> {
    const result = await this.resetAnyhow(seed)
    const { infraError } = result.info
    if (infraError !== undefined) throw new Error(infraError.message)
    return result
  }

  step(action: Action): Promise<VerbOutput<'stepEnvironment'>> {
    return this.#client.call('stepEnvironment', { environmentId: this.made.environmentId, action })
  }

  async fork(
    how: 'replay' | 'files',
  ): Promise<VerbOutput<'forkEnvironment'> & { readonly environment: TestEnvironment }> {
    const forked = await this.#client.call('forkEnvironment', { environmentId: this.made.environmentId, how })
    const made = { ...this.made, environmentId: forked.environmentId }
    return { ...forked, environment: new TestEnvironment(this.#client, made) }
  }

  /** The result of a command outside of the terminals. */
  async output(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { environmentId } = this.made
    const { stdout, stderr } = await this.#client.call('execInEnvironment', { environmentId, command, env })
    return Buffer.from(stdout, 'base64').toString() + Buffer.from(stderr, 'base64').toString()
  }

  async close(): Promise<void> {
    await this.#client.call('closeEnvironment', { environmentId: this.made.environmentId })
  }
}
