/** Several environments that are stepped through together, as gymnasium's vector environments are. */

import type { Action, ResetResult, StepInfo, StepResult } from '@agentpty/protocol/gym'
import type { Env } from './env.ts'

/**
 * The handling of an episode that is over. `NextStep`: its next step is its reset, whose action does not count, with reward 0. `SameStep`:
 * it is reset in the same step; the last observation is in `info`. `Disabled`: the caller resets it.
 */
export const autoresetModes = ['NextStep', 'SameStep', 'Disabled'] as const
export type AutoresetMode = (typeof autoresetModes)[number]

export interface VecResetOptions {
  /** The seed of the first one; the others have the following seeds. A list gives one for each. */
  readonly seed?: number | readonly (number | undefined)[]
  /** Only these are reset; the others keep their last observation. */
  readonly mask?: readonly boolean[]
}

export interface VecReset {
  readonly observations: readonly string[]
  readonly infos: readonly StepInfo[]
}

/** In `SameStep`: the last observation and info of the episode that ended. */
export type VecInfo = StepInfo & { readonly finalObservation?: string; readonly finalInfo?: StepInfo }

export interface VecStep {
  /** One observation for each environment, in their order; all other lists have the same order. */
  readonly observations: readonly string[]
  readonly rewards: readonly number[]
  readonly terminations: readonly boolean[]
  readonly truncations: readonly boolean[]
  readonly infos: readonly VecInfo[]
}

/** One action for each environment, or for some by their index: the others wait. */
export type Actions = readonly Action[] | ReadonlyMap<number, Action>

type Taken = StepResult & { readonly info: VecInfo }

export class VecEnv implements AsyncDisposable {
  readonly envs: readonly Env[]
  readonly autoreset: AutoresetMode
  readonly #close: () => Promise<void>
  #closed: Promise<void> | null = null
  readonly #last: (Taken | null)[]
  #stepping: Promise<VecStep> | null = null

  constructor(envs: readonly Env[], autoreset: AutoresetMode, close: () => Promise<void>) {
    this.envs = envs
    this.autoreset = autoreset
    this.#close = close
    this.#last = envs.map(() => null)
  }

  get size(): number {
    return this.envs.length
  }

  /** Errors: throws for a mask that leaves one out that was never reset, or that names none. */
  async reset({ seed, mask }: VecResetOptions = {}): Promise<VecReset> {
    const isReset = (index: number) => mask === undefined || mask[index] === true
    if (!this.envs.some((_, index) => isReset(index))) throw new Error('A mask must name at least one environment.')
    if (this.#last.some((last, index) => last === null && !isReset(index)))
      throw new Error('Environments that were never reset must be in the mask.')
    await Promise.all(
      this.envs.map(async (env, index) => {
        if (isReset(index)) this.#last[index] = begun(await env.reset(seedOf(seed, index)))
      }),
    )
    const all = this.#taken()
    return { observations: all.map(({ observation }) => observation), infos: all.map(({ info }) => info) }
  }

  /** Resolves when each of them has. Errors: throws before the first reset, and when the number of actions is not that of environments. */
  async step(actions: Actions): Promise<VecStep> {
    this.stepAsync(actions)
    return this.stepWait()
  }

  /** Starts a step; `stepWait` returns its result. Errors: as {@link VecEnv.step}; throws while another step is running. */
  stepAsync(actions: Actions): void {
    if (this.#stepping !== null) throw new Error('A step is under way: wait for it with stepWait().')
    if (Array.isArray(actions) && actions.length !== this.size)
      throw new Error(`${actions.length} actions for ${this.size} environments.`)
    this.#taken()
    const given = actions instanceof Map ? actions : new Map((actions as readonly Action[]).entries())
    this.#stepping = this.#step(given)
    // The caller of `stepWait` receives the error.
    this.#stepping.catch(() => undefined)
  }

  /** Errors: throws when no step is under way. */
  async stepWait(): Promise<VecStep> {
    const stepping = this.#stepping
    if (stepping === null) throw new Error('No step is under way.')
    try {
      return await stepping
    } finally {
      this.#stepping = null
    }
  }

  /** Closes all of them and removes their files. A second call does nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce()
    return this.#closed
  }

  async #closeOnce(): Promise<void> {
    await this.#stepping?.catch(() => undefined)
    await Promise.all(this.envs.map((env) => env.close()))
    await this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #step(actions: ReadonlyMap<number, Action>): Promise<VecStep> {
    await Promise.all(
      [...actions].map(async ([index, action]) => {
        this.#last[index] = await this.#stepOne(index, action)
      }),
    )
    const all = this.#taken()
    return {
      observations: all.map(({ observation }) => observation),
      rewards: all.map(({ reward }) => reward),
      terminations: all.map(({ terminated }) => terminated),
      truncations: all.map(({ truncated }) => truncated),
      infos: all.map(({ info }) => info),
    }
  }

  async #stepOne(index: number, action: Action): Promise<Taken> {
    const env = this.envs[index]
    const last = this.#last[index]
    if (env === undefined) throw new Error(`There is no environment ${index}.`)
    const wasOver = last?.terminated === true || last?.truncated === true
    if (wasOver && this.autoreset === 'NextStep') return begun(await env.reset())
    const taken = await env.step(action)
    if (this.autoreset !== 'SameStep' || !(taken.terminated || taken.truncated)) return taken
    const next = await env.reset()
    const info = { ...next.info, finalObservation: taken.observation, finalInfo: taken.info }
    return { ...taken, observation: next.observation, info }
  }

  /** Errors: throws before the first reset. */
  #taken(): readonly Taken[] {
    return this.#last.map((last) => {
      if (last === null) throw new Error('Reset the environments first.')
      return last
    })
  }
}

const begun = ({ observation, info }: ResetResult): Taken => ({
  observation,
  reward: 0,
  terminated: false,
  truncated: false,
  info,
})

function seedOf(seed: VecResetOptions['seed'], index: number): { readonly seed?: number } {
  const own = typeof seed === 'number' ? seed + index : seed?.[index]
  return own === undefined ? {} : { seed: own }
}
