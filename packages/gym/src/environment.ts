/**
 * One environment: reset to its beginning again and again, and stepped through.
 *
 * Guarantees: every byte of output is shown by exactly one step. A step ends at the agent's turn, and reports when it does not. A fault of
 * the machinery is reported as an error and never as a reward.
 */

import { type Clock, defined, invalidInput, isTermError, type Millis } from '@agentpty/protocol'
import type {
  AskedStep,
  EnvironmentCall,
  EnvironmentSpec,
  ForkResult,
  ResetKind,
  ResetResult,
  RunningContainer,
  StepInfo,
  StepResult,
  Verification,
} from '@agentpty/protocol/gym'
import { Episode, type EpisodeParts, stageOf } from './episode.ts'
import type { Deferred, Later } from './later.ts'
import type { EnvironmentTask } from './run/environment-task.ts'
import { Steps } from './steps.ts'

export interface EnvironmentParts extends Pick<EpisodeParts, 'spec' | 'fileReset' | 'makeContainer'> {
  readonly clock: Clock
  readonly id: string
  /** A folder of its own. */
  readonly folder: string
  readonly later: Later
  /** Whether there is room for a container that waits. */
  readonly mayPrepare: () => boolean
  readonly task: EnvironmentTask | null
}

export class Environment {
  readonly #parts: EnvironmentParts
  #playingNow: Playing | null = null
  /** Whose files the next episode begins with, in place of those that were given. */
  #filesFrom: Episode | null = null
  /** Resolves when nothing is left of the episode before. */
  #cleaned: Promise<void> = Promise.resolve()
  /** The one after this, as far as it can be prepared. */
  #next: Deferred<Episode> | null = null
  #episodes = 0
  #stages = 0

  constructor(parts: EnvironmentParts) {
    this.#parts = parts
  }

  get spec(): EnvironmentSpec {
    return this.#parts.spec
  }

  get resetBy(): ResetKind {
    return this.#parts.fileReset.kind
  }

  get episodeId(): string | null {
    return this.#playingNow === null ? null : this.#episodeId
  }

  get steps(): number {
    return this.#playingNow?.episode.steps ?? 0
  }

  get terminalId(): string | null {
    return this.#playingNow?.episode.terminal()?.id ?? null
  }

  get container(): RunningContainer | null {
    return this.#playingNow?.episode.container ?? null
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#playingNow?.episode.variables ?? {}
  }

  get #episodeId(): string {
    return `${this.#parts.id}-${this.#episodes}`
  }

  /** A failure of the machinery is in `info`; the environment can be reset again. */
  async reset(seed: number | null, caller: EnvironmentCall): Promise<ResetResult> {
    const { clock, later } = this.#parts
    const begun = clock.now()
    const old = this.#playingNow?.episode ?? null
    const cleaned = this.#cleaned
    this.#playingNow = null
    this.#cleaned = Promise.resolve()
    this.#episodes++
    try {
      const result = await later.before(() => this.#begin(old, { seed, begun, caller }))
      await cleaned
      this.prepareNext()
      return result
    } catch (error) {
      return { observation: '', info: this.#failed(error, begun) }
    } finally {
      if (old !== null) this.#cleanLater(old, caller)
    }
  }

  async #begin(old: Episode | null, { seed, begun, caller }: Beginning): Promise<ResetResult> {
    // Its programs get the signal to end before those of the next episode start. The remains are cleaned up later.
    const stopped = old?.stop()
    if (this.#parts.fileReset.isKept) await stopped
    // Without room for two episodes of each environment, the old one's terminals and container end first.
    if (old !== null && !this.#parts.mayPrepare()) await old.end(caller)
    const playing = this.#play(await this.#prepared())
    const opened = await playing.episode.begin(seed, caller)
    playing.begun = await playing.steps.begin(opened, begun, caller)
    await this.#parts.task?.begin(this.#taskCall(caller))
    return playing.begun
  }

  #play(episode: Episode): Playing {
    const { clock, spec } = this.#parts
    const steps = new Steps({ clock, spec, episodeId: this.#episodeId, resetBy: this.resetBy }, episode)
    this.#playingNow = { episode, steps, begun: null, verification: null }
    return this.#playingNow
  }

  /** The episode that could not begin is over. */
  #failed(error: unknown, begun: Millis): StepInfo {
    const { episode, steps } = this.#playingNow ?? this.#play(this.#episodeOf(++this.#stages))
    episode.isOver = true
    return steps.failed(error, begun)
  }

  #cleanLater(episode: Episode, caller: EnvironmentCall): void {
    this.#cleaned = this.#parts.later.do(() => episode.end(caller)).done
    // The next reset or close reports the error.
    this.#cleaned.catch(() => undefined)
  }

  /** Makes the container of the next episode while this one is played. */
  prepareNext(): void {
    const { fileReset, later } = this.#parts
    if (fileReset.isKept || this.#next !== null || !this.#parts.mayPrepare()) return
    this.#next = later.do(() => this.#prepare())
    // The next reset reports the error, or tries again.
    this.#next.done.catch(() => undefined)
  }

  #episodeOf(number: number): Episode {
    const { clock, spec, fileReset, makeContainer, id, folder } = this.#parts
    return new Episode({ clock, environmentId: id, spec, fileReset, stage: stageOf(folder, number), makeContainer })
  }

  async #prepare(): Promise<Episode> {
    const episode = this.#episodeOf(++this.#stages)
    try {
      await episode.prepare()
      if (this.#filesFrom !== null) await episode.takeFiles(this.#filesFrom)
      this.#filesFrom = null
    } catch (error) {
      await episode.end(null)
      throw error
    }
    return episode
  }

  async #prepared(): Promise<Episode> {
    const next = await this.#takeNext()
    // A prepared episode may have ended since, for example when memory ran out.
    if (next !== null && next.container?.hasEnded !== true) return next
    await next?.end(null)
    return this.#prepare()
  }

  /** Null when there is none, or none could be made. */
  async #takeNext(): Promise<Episode | null> {
    const next = this.#next
    this.#next = null
    return next === null || next.cancel() ? null : next.done.catch(() => null)
  }

  /** Errors: `invalid_input` before the first reset, after the episode's end, and for a terminal that is not there. */
  async step(asked: AskedStep, caller: EnvironmentCall): Promise<StepResult> {
    const result = await this.#playing().steps.take(asked, caller)
    const isOver = (result.terminated || result.truncated) && result.info.infraError === undefined
    return isOver && this.#parts.task?.judges === true ? this.#judged(result, caller) : result
  }

  /** The episode is over then. Errors: `invalid_input` without a task or an episode; those of the machinery. */
  async verify(caller: EnvironmentCall): Promise<Verification> {
    const { task } = this.#parts
    if (task === null || !task.judges)
      throw invalidInput('It has no task to be judged, so there is no verifier.', 'Judge it yourself, by exec.')
    const playing = this.#playing()
    if (playing.begun === null) throw invalidInput('Its episode could not begin.', 'Reset the environment first.')
    playing.episode.isOver = true
    const play = { begun: playing.begun, taken: playing.episode.taken }
    playing.verification ??= await task.judge(play, this.#taskCall(caller))
    return playing.verification
  }

  async #judged(result: StepResult, caller: EnvironmentCall): Promise<StepResult> {
    try {
      const { reward, rewards, problem = result.info.note } = await this.verify(caller)
      return { ...result, reward, info: defined({ ...result.info, rewards: rewards ?? undefined, note: problem }) }
    } catch (error) {
      if (!isTermError(error)) throw error
      const infraError = { code: error.code, message: `${error.message} ${error.hint}` }
      return { ...result, reward: 0, truncated: true, info: { ...result.info, infraError } }
    }
  }

  #taskCall({ call }: EnvironmentCall) {
    return { call, environmentId: this.#parts.id }
  }

  /** Brings this environment to the state of `as`: by its actions, or by its files alone. Errors: `invalid_input` before its first reset. */
  async become(
    as: Environment,
    how: 'replay' | 'files',
    caller: EnvironmentCall,
  ): Promise<Omit<ForkResult, 'environmentId'>> {
    const { episode: original } = as.#playing()
    this.#filesFrom = how === 'files' ? original : null
    if (as.#parts.task !== null && how === 'files') this.#parts.task?.goOnFrom(as.#parts.task)
    else as.#parts.task?.checkReplay()
    let last: ResetResult = await this.reset(original.seed, caller)
    if (how === 'files') return { ...last, replayed: 0, differsAt: null }
    const taken = [...original.taken]
    let differsAt: number | null = null
    for (const [index, { action, result }] of taken.entries()) {
      if (last.info.infraError !== undefined) break
      last = await this.step({ action, timeoutMs: null }, caller)
      if (last.observation !== result?.observation) differsAt ??= index + 1
    }
    return { observation: last.observation, info: last.info, replayed: taken.length, differsAt }
  }

  /** Removes everything. Without a caller its terminals stay, with their programs ended. */
  async close(caller: EnvironmentCall | null): Promise<void> {
    const next = await this.#takeNext()
    const episode = this.#playingNow?.episode
    this.#playingNow = null
    await Promise.all([next?.end(null), episode?.end(caller), this.#cleaned])
  }

  #playing(): Playing {
    if (this.#playingNow !== null) return this.#playingNow
    throw invalidInput('It has no episode yet.', 'Reset the environment first.')
  }
}

interface Beginning {
  readonly seed: number | null
  readonly begun: Millis
  readonly caller: EnvironmentCall
}

interface Playing {
  readonly episode: Episode
  readonly steps: Steps
  /** Null until something is shown. */
  begun: ResetResult | null
  verification: Verification | null
}
