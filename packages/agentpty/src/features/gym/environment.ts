/**
 * One environment: reset to its beginning again and again, and stepped through.
 *
 * Guarantees: every byte of output is shown by exactly one step. A step ends when it is one's turn, and says so when it does not. What the
 * machinery does wrong is told as such and never as a reward.
 */

import type { Observation } from '../../contracts/call/observation.ts'
import { defined } from '../../contracts/defined.ts'
import { type ErrorCode, isTermError, TermError } from '../../contracts/errors.ts'
import type { ParsedAction } from '../../contracts/gym/action.ts'
import type { RunningContainer } from '../../contracts/gym/container.ts'
import type { EnvironmentSpec, ResetKind, ResetResult, StepInfo, StepResult } from '../../contracts/gym/environment.ts'
import type { EnvironmentCall } from '../../contracts/gym/environments.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Millis, Offset } from '../../contracts/units.ts'
import { act, type Doing } from './act.ts'
import { Episode, type EpisodeParts, type EpisodeTerminal, stageOf } from './episode.ts'
import type { Deferred, Later } from './later.ts'

export interface EnvironmentParts extends Pick<EpisodeParts, 'spec' | 'workspace' | 'makeContainer'> {
  readonly clock: Clock
  readonly id: string
  /** A folder of its own. */
  readonly folder: string
  readonly later: Later
}

export class Environment {
  readonly #parts: EnvironmentParts
  #episode: Episode | null = null
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
    return this.#parts.workspace.kind
  }

  get episodeId(): string | null {
    return this.#episode === null ? null : this.#episodeId
  }

  get steps(): number {
    return this.#episode?.steps ?? 0
  }

  get terminalId(): string | null {
    return this.#episode?.terminal()?.id ?? null
  }

  get container(): RunningContainer | null {
    return this.#episode?.container ?? null
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#episode?.variables ?? {}
  }

  get #episodeId(): string {
    return `${this.#parts.id}-${this.#episodes}`
  }

  /** A failure of the machinery is in `info`; the environment can be reset again. */
  async reset(seed: number | null, caller: EnvironmentCall): Promise<ResetResult> {
    const { clock, workspace, later } = this.#parts
    const begun = clock.now()
    const old = this.#episode
    this.#episode = null
    this.#episodes++
    try {
      const result = await later.before(async () => {
        // Its programs are told to end before those of the next one begin; what is left is looked after later.
        const stopped = old?.stop()
        if (workspace.isKept) await stopped
        const episode = await this.#prepared()
        this.#episode = episode
        const opened = await episode.begin(seed, caller)
        const shown = await this.#show(opened, { text: opened.output, terminal: mainOf(episode), caller })
        return { observation: shown.observation, info: this.#info(opened, { from: 0, begun, ...shown }) }
      })
      await this.#cleaned
      if (old !== null) this.#cleanLater(old, caller)
      this.prepareNext()
      return result
    } catch (error) {
      this.#giveUp()
      return { observation: '', info: this.#failed(error, begun) }
    }
  }

  #cleanLater(episode: Episode, caller: EnvironmentCall): void {
    this.#cleaned = this.#parts.later.do(() => episode.end(caller)).done
    // Whoever resets or closes next is told.
    this.#cleaned.catch(() => undefined)
  }

  #giveUp(): void {
    if (this.#episode !== null) this.#episode.isOver = true
  }

  /** Makes the container of the next episode while this one is played. */
  prepareNext(): void {
    const { workspace, later } = this.#parts
    if (workspace.isKept || this.#next !== null) return
    this.#next = later.do(() => this.#prepare())
    // Who resets is told, or tries again.
    this.#next.done.catch(() => undefined)
  }

  async #prepare(): Promise<Episode> {
    const { spec, workspace, makeContainer, id, folder } = this.#parts
    const stage = stageOf(folder, ++this.#stages)
    const episode = new Episode({ environmentId: id, spec, workspace, stage, makeContainer })
    try {
      await episode.prepare()
    } catch (error) {
      await episode.end(null)
      throw error
    }
    return episode
  }

  async #prepared(): Promise<Episode> {
    const next = await this.#takeNext()
    // One that was prepared may have been ended since, by whoever is short of memory.
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
  async step(action: ParsedAction, caller: EnvironmentCall): Promise<StepResult> {
    const episode = this.#episode
    if (episode === null) throw notReset('It has no episode yet.')
    if (episode.isOver) throw notReset('Its episode is over.')
    const begun = this.#parts.clock.now()
    if (isFinish(action)) return this.#finish(episode, begun)
    const name = typeof action === 'string' ? undefined : action.terminal
    const terminal = episode.terminal(name)
    if (terminal === null) throw noTerminal(name, episode.terminalNames)
    episode.steps++
    try {
      return this.#ended(episode, await this.#take(action, { episode, terminal, begun, caller }))
    } catch (error) {
      if (isTermError(error) && agentsOwn.includes(error.code)) return this.#refused(error, { terminal, begun })
      episode.isOver = true
      const info = this.#failed(error, begun)
      return { observation: '', reward: 0, terminated: false, truncated: true, info }
    }
  }

  /** Nothing of it is left. Without a caller its terminals stay, as those of programs that have ended. */
  async close(caller: EnvironmentCall | null): Promise<void> {
    const [next, episode] = [await this.#takeNext(), this.#episode]
    this.#episode = null
    await Promise.all([next?.end(null), episode?.end(caller), this.#cleaned])
  }

  async #take(action: Doing, { terminal, begun, caller }: Taking): Promise<StepResult> {
    const { stepTimeoutMs, success } = this.#parts.spec
    const from = terminal.cursor
    const before = caller.endOf(terminal.id) > from ? await between(terminal, caller) : ''
    const on = { terminalId: terminal.id, since: terminal.cursor, timeoutMs: stepTimeoutMs, caller }
    const seen = await act(action, on)
    const shown = await this.#show(seen, { text: join(before, seen.output), terminal, caller })
    const isSolved = success !== undefined && `${shown.observation}\n${shown.screen ?? ''}`.includes(success.text)
    const hasEnded = seen.state === 'exited' && terminal.id === this.terminalId
    const info = this.#info(seen, { from, begun, ...shown })
    return {
      observation: shown.observation,
      reward: isSolved ? 1 : 0,
      terminated: isSolved || hasEnded,
      truncated: false,
      info,
    }
  }

  async #show(seen: Observation, { text, terminal, caller }: Showing): Promise<Shown> {
    terminal.cursor = seen.cursor
    const { observation } = this.#parts.spec
    const isFull = seen.state !== 'exited' && caller.isFullScreen(terminal.id)
    const wantsScreen = observation !== 'delta' || isFull
    const screen = wantsScreen ? (await caller.call('screenshot', { terminalId: terminal.id })).screen : undefined
    if (screen === undefined) return { observation: text }
    return observation === 'both' ? { observation: isFull ? screen : text, screen } : { observation: screen }
  }

  #ended(episode: Episode, result: StepResult): StepResult {
    const { maxEpisodeSteps } = this.#parts.spec
    const truncated = !result.terminated && maxEpisodeSteps !== undefined && episode.steps >= maxEpisodeSteps
    episode.isOver = result.terminated || truncated
    return { ...result, truncated }
  }

  #finish(episode: Episode, begun: Millis): StepResult {
    episode.steps++
    episode.isOver = true
    const { cursor } = mainOf(episode)
    const info = this.#info({ state: 'ready', cursor, output: '' }, { from: cursor, begun, observation: '' })
    return { observation: '', reward: 0, terminated: true, truncated: false, info }
  }

  /** What was asked for cannot be done in this terminal, and nothing of it was: that is the answer. */
  #refused({ message, hint }: TermError, { terminal, begun }: Pick<Taking, 'terminal' | 'begun'>): StepResult {
    const { cursor } = terminal
    const note = `${message} ${hint}`
    const info = this.#info({ state: 'ready', cursor, output: '', note }, { from: cursor, begun, observation: '' })
    return { observation: note, reward: 0, terminated: false, truncated: false, info }
  }

  #info(seen: Observation, { from, begun, screen }: Timed & Shown): StepInfo {
    const { clock, spec } = this.#parts
    const { state, kind, confidence, evidence, exitCode, signal, note, missedBytes, cursor } = seen
    return defined({
      ...{ state, kind, confidence, evidence, exitCode, signal, note, missedBytes, screen },
      cursor: { from, to: cursor },
      timing: { stepMs: Math.round((clock.now() - begun) * 1_000) / 1_000 },
      isolation: spec.isolation,
      resetBy: this.resetBy,
      episodeId: this.#episodeId,
      step: this.steps,
      terminalId: this.terminalId ?? '',
    })
  }

  #failed(error: unknown, begun: Millis): StepInfo {
    if (!isTermError(error)) throw error
    const info = this.#info({ state: 'exited', cursor: 0, output: '' }, { from: 0, begun, observation: '' })
    return { ...info, infraError: { code: error.code, message: `${error.message} ${error.hint}` } }
  }
}

interface Taking {
  readonly episode: Episode
  readonly terminal: EpisodeTerminal
  readonly begun: Millis
  readonly caller: EnvironmentCall
}

interface Showing {
  readonly text: string
  readonly terminal: EpisodeTerminal
  readonly caller: EnvironmentCall
}

interface Shown {
  readonly observation: string
  readonly screen?: string
}

interface Timed {
  readonly from: Offset
  readonly begun: Millis
}

/** What was asked for is at fault, not the machinery. */
const agentsOwn: readonly ErrorCode[] = ['unknown_key', 'line_too_long', 'input_full', 'message_too_large']

const isFinish = (action: ParsedAction): action is { readonly type: 'finish' } =>
  typeof action === 'object' && 'type' in action && action.type === 'finish'

/** What has appeared since the last step, before this one. */
async function between(terminal: EpisodeTerminal, { call }: EnvironmentCall): Promise<string> {
  const { output, cursor } = await call('read', { terminalId: terminal.id, since: terminal.cursor })
  terminal.cursor = cursor
  return output
}

const join = (before: string, after: string): string =>
  before === '' || after === '' ? before + after : `${before}\n${after}`

function mainOf(episode: Episode): EpisodeTerminal {
  const terminal = episode.terminal()
  if (terminal === null) throw new TermError('internal', 'An episode has begun without a terminal.', 'Reset it.')
  return terminal
}

function notReset(what: string): TermError {
  return new TermError('invalid_input', what, 'Reset the environment first.')
}

function noTerminal(name: string | undefined, names: readonly string[]): TermError {
  return new TermError('invalid_input', `It has no terminal "${name}".`, `There are: ${names.join(', ')}.`)
}
