/** Composes the gym for programs: environments of a private server, or of one that is there. */

import type { Client } from '@agentpty/protocol'
import type { EnvironmentInput } from '@agentpty/protocol/gym'
import { Env } from '../library/env.ts'
import { type AutoresetMode, VecEnv } from '../library/vec-env.ts'
import { openEngine } from './library.ts'

export interface EnvOptions extends EnvironmentInput {
  /** The server whose terminals they are: `(await connect()).client` for the daemon's. Without it a private one, which ends with them. */
  readonly client?: Client
}

/** Errors: `invalid_input`, `sandbox_unavailable`; `host_missing` without a ptyhost for this machine. */
export async function makeEnv({ client, ...input }: EnvOptions = {}): Promise<Env> {
  const server = await serverFor(client)
  try {
    return await Env.make(server.client, input, server.close)
  } catch (error) {
    await server.close()
    throw error
  }
}

export interface VecOptions extends EnvOptions {
  /** The number of environments. */
  readonly n: number
}

/** `n` of the same, on one server. Errors: as {@link makeEnv}. */
export async function makeVec(
  { n, client, ...input }: VecOptions,
  { autoreset = 'NextStep' }: { readonly autoreset?: AutoresetMode } = {},
): Promise<VecEnv> {
  const server = await serverFor(client)
  try {
    const envs = await Promise.all(Array.from({ length: n }, () => Env.make(server.client, input)))
    return new VecEnv(envs, autoreset, server.close)
  } catch (error) {
    await server.close()
    throw error
  }
}

async function serverFor(client: Client | undefined): Promise<{ readonly client: Client; close(): Promise<void> }> {
  return client === undefined ? openEngine() : { client, close: async () => {} }
}
