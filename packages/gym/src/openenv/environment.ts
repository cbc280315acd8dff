/** One environment of OpenEnv, until its client leaves. A failure is an error or `infra_error` with a null reward, never a reward. */

import { defined, ignoring, isTermError, type Millis, type ServerClient } from '@agentpty/protocol'
import { EnvironmentSpec, type StepInfo, type StepResult, stepMsMax } from '@agentpty/protocol/gym'
import type { OpenEnvSettings } from '@agentpty/protocol/home'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { Parsing } from '../json-text.ts'
import { codeOf, OpenEnvError, ResetData, StepRequest } from './contract.ts'
import { readAction } from './read-action.ts'

interface EnvironmentParts {
  readonly client: ServerClient
  readonly settings: OpenEnvSettings
}

interface Made extends VerbOutput<'makeEnvironment'> {
  /** The request as text. An equal request resets the environment; any other makes a new one. */
  readonly asked: string
}

const specFields: ReadonlySet<string> = new Set(Object.keys(EnvironmentSpec.shape))

export class OpenEnvEnvironment {
  readonly #parts: EnvironmentParts
  #made: Made | null = null
  #episodeId: string | null = null
  #terminalId: string | null = null
  #steps = 0
  #isClosed = false

  constructor(parts: EnvironmentParts) {
    this.#parts = parts
  }

  /** Errors: {@link OpenEnvError}. */
  async reset(given: unknown) {
    const { seed, episode_id: named, ...more } = checked(ResetData, given, 'reset')
    const { changes, passedOver } = this.#split(more)
    const result = await this.#begin(changes, seed ?? null)
    const { infraError, episodeId, terminalId } = result.info
    if (infraError !== undefined)
      throw new OpenEnvError('EXECUTION_ERROR', infraError.message, { infra_error: infraError })
    this.#episodeId = named ?? episodeId
    this.#terminalId = terminalId
    this.#steps = 0
    const outcome = { ...result, reward: null, terminated: false, truncated: false }
    return observed(outcome, { ...this.#notes(passedOver), ...this.#task() })
  }

  async #begin(changes: JsonObject, seed: number | null): Promise<VerbOutput<'resetEnvironment'>> {
    const isNew = this.#made === null
    const { environmentId } = await this.#make(changes)
    try {
      return await this.#call('resetEnvironment', seed === null ? { environmentId } : { environmentId, seed })
    } catch (error) {
      // Another caller has closed it: a new environment replaces it.
      if (
        isNew ||
        this.#isClosed ||
        !(error instanceof OpenEnvError) ||
        error.more['reason'] !== 'environment_not_found'
      )
        throw error
      this.#made = null
      return this.#begin(changes, seed)
    }
  }

  /** @param body - Of a request. Errors: {@link OpenEnvError}. */
  async stepAsked(body: unknown) {
    const { action, timeout_s: seconds } = checked(StepRequest, body, 'step')
    return this.step(action, seconds == null ? undefined : Math.min(stepMsMax, Math.ceil(seconds * 1_000)))
  }

  /** @param given - The action itself. Errors: {@link OpenEnvError}. */
  async step(given: unknown, timeoutMs?: Millis) {
    const action = readAction(given)
    if (this.#made === null) throw new OpenEnvError('EXECUTION_ERROR', 'It has no episode yet: reset it first.')
    const { environmentId } = this.#made
    const result = await this.#call('stepEnvironment', defined({ environmentId, action, timeoutMs }))
    this.#steps = result.info.step
    const reward = result.info.infraError === undefined ? result.reward : null
    return observed({ ...result, reward }, this.#notes([]))
  }

  state(): JsonObject {
    return {
      episode_id: this.#episodeId,
      step_count: this.#steps,
      environment_id: this.#made?.environmentId ?? null,
      terminal_id: this.#terminalId,
      isolation: this.#made?.isolation ?? null,
      reset_by: this.#made?.resetBy ?? null,
      workdir: this.#made?.workdir ?? null,
    }
  }

  /** Ends a step that is under way, too. Nothing of it is left, and nothing is made any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#discard()
  }

  /** Returns the changes that a reset asks for. Columns of data sets arrive with them and are ignored. */
  #split(more: JsonObject): { readonly changes: JsonObject; readonly passedOver: readonly string[] } {
    const { mayChange } = this.#parts.settings
    const names = Object.keys(more)
    const refused = names.filter((name) => specFields.has(name) && !mayChange.some((one) => one === name))
    if (refused.length > 0)
      throw new OpenEnvError(
        'VALIDATION_ERROR',
        `A reset may not change ${refused.join(', ')} here: gym.openenv.mayChange in config.yaml does not name it.`,
      )
    const changes = Object.fromEntries(Object.entries(more).filter(([name]) => specFields.has(name)))
    return { changes, passedOver: names.filter((name) => !specFields.has(name)) }
  }

  #task(): JsonObject {
    const task = this.#made?.task
    return task === undefined ? {} : { task }
  }

  #notes(passedOver: readonly string[]): JsonObject {
    return { episode_id: this.#episodeId, ...(passedOver.length === 0 ? {} : { passed_over: passedOver }) }
  }

  async #make(changes: JsonObject): Promise<Made> {
    const spec = checked(EnvironmentSpec, { ...this.#parts.settings.environment, ...changes }, 'reset')
    const asked = JSON.stringify(spec)
    if (this.#made?.asked === asked) return this.#made
    await this.#discard()
    const made = await this.#factory(spec)
    this.#made = { ...made, asked }
    // The client disconnected while the environment was made.
    if (this.#isClosed) await this.#discard()
    return { ...made, asked }
  }

  async #factory(spec: EnvironmentSpec): Promise<VerbOutput<'makeEnvironment'>> {
    try {
      return await this.#parts.client.call('makeEnvironment', spec)
    } catch (error) {
      if (!isTermError(error)) throw error
      const { code, message, hint } = error
      throw new OpenEnvError(code === 'limit_reached' ? 'CAPACITY_REACHED' : 'FACTORY_ERROR', `${message} ${hint}`)
    }
  }

  async #discard(): Promise<void> {
    const made = this.#made
    this.#made = null
    this.#episodeId = null
    this.#terminalId = null
    if (made === null) return
    await this.#parts.client
      .call('closeEnvironment', { environmentId: made.environmentId })
      .catch(ignoring('environment_not_found'))
  }

  async #call<Name extends 'resetEnvironment' | 'stepEnvironment'>(name: Name, input: VerbInput<Name>) {
    try {
      return await this.#parts.client.call(name, input)
    } catch (error) {
      if (!isTermError(error)) throw error
      throw new OpenEnvError(codeOf(error.code), `${error.message} ${error.hint}`, { reason: error.code })
    }
  }
}

/** Errors: `VALIDATION_ERROR`, with what is wrong where. */
export function checked<Output>(schema: Parsing<Output>, given: unknown, what: string): Output {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ path, message }) => ({
    loc: path.map(String),
    msg: message,
    type: 'value_error',
  }))
  const [first] = errors
  const where = first === undefined || first.loc.length === 0 ? what : `${what}: ${first.loc.join('.')}`
  throw new OpenEnvError('VALIDATION_ERROR', `${where}: ${first?.msg ?? 'invalid'}`, { errors })
}

/** Its reward is null where nothing can be said: after a reset, and when the machinery has failed. */
type Seen = Omit<StepResult, 'reward'> & { readonly reward: number | null }

/** Returns a result as OpenEnv's clients receive it, in a response or a message. */
function observed({ observation: text, reward, terminated, truncated, info }: Seen, more: JsonObject) {
  const metadata = { ...metadataOf(info), ...more }
  const { screen } = info
  return {
    observation: defined({ text, screen, terminated, truncated, metadata }),
    reward,
    done: terminated || truncated,
    terminated,
    truncated,
    metadata,
  }
}

function metadataOf(info: StepInfo): JsonObject {
  return defined({
    state: info.state,
    kind: info.kind,
    confidence: info.confidence,
    evidence: info.evidence,
    exit_code: info.exitCode,
    signal: info.signal,
    cursor: info.cursor,
    note: info.note,
    missed_bytes: info.missedBytes,
    omitted_bytes: info.omittedBytes,
    invalid_bytes: info.invalidBytes,
    step_ms: info.timing.stepMs,
    isolation: info.isolation,
    reset_by: info.resetBy,
    episode_id: info.episodeId,
    step: info.step,
    terminal_id: info.terminalId,
    rewards: info.rewards,
    infra_error: info.infraError,
  })
}
