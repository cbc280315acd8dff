/** The steps of one episode: each shows the output since the previous one, and ends at the agent's turn, or says that it is not. */

import {
  type Clock,
  defined,
  type ErrorCode,
  invalidInput,
  isTermError,
  type Millis,
  type Offset,
  TermError,
} from '@agentpty/protocol'
import { type CountedOutput, joinOutput, type Observation } from '@agentpty/protocol/call'
import {
  type AskedStep,
  type EnvironmentCall,
  type EnvironmentSpec,
  observationBytesMax,
  type ParsedAction,
  type ResetKind,
  type ResetResult,
  type StepInfo,
  type StepResult,
  shownCharactersMax,
} from '@agentpty/protocol/gym'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { act, type Doing } from './act.ts'
import { type Episode, type EpisodeTerminal, mainTerminal, type Taken } from './episode.ts'
import { printedSince, statedOmission } from './printed-since.ts'

export interface StepsParts {
  readonly clock: Clock
  readonly spec: EnvironmentSpec
  readonly episodeId: string
  readonly resetBy: ResetKind
}

export class Steps {
  readonly #parts: StepsParts
  readonly #episode: Episode

  constructor(parts: StepsParts, episode: Episode) {
    this.#parts = parts
    this.#episode = episode
  }

  async begin(opened: VerbOutput<'create'>, begun: Millis, caller: EnvironmentCall): Promise<ResetResult> {
    const terminal = this.#terminal(mainTerminal)
    const shown = await this.#show(opened, { text: opened.output, from: 0, typed: '', terminal, caller })
    terminal.shown = shown.observation.slice(-shownCharactersMax)
    const info = this.#info(opened, { from: 0, begun, ...shown })
    return { observation: shown.observation, info: defined({ ...info, terminals: this.#episode.furtherTerminals }) }
  }

  /** Errors: `invalid_input` after the episode's end, and for a terminal that is not there. */
  async take({ action, timeoutMs }: AskedStep, caller: EnvironmentCall): Promise<StepResult> {
    const episode = this.#episode
    if (episode.isOver) throw invalidInput('Its episode is over.', 'Reset the environment first.')
    const terminal = this.#terminal((isFinish(action) ? undefined : terminalOf(action)) ?? mainTerminal)
    const begun = this.#parts.clock.now()
    const taken: Mutable<Taken> = { action, result: null }
    episode.taken.push(taken)
    const result = isFinish(action)
      ? this.#unchanged(terminal, { begun, terminated: true })
      : await this.#act(action, {
          terminal,
          begun,
          timeoutMs: Math.min(this.#parts.spec.stepTimeoutMs, timeoutMs ?? Number.POSITIVE_INFINITY),
          caller,
        })
    const { maxEpisodeSteps } = this.#parts.spec
    const truncated = result.truncated || (!result.terminated && episode.steps === maxEpisodeSteps)
    episode.isOver = result.terminated || truncated
    taken.result = { ...result, truncated }
    return taken.result
  }

  /** Returns the info of a step that the machinery failed. Errors: anything but a {@link TermError} is thrown on. */
  failed(error: unknown, begun: Millis): StepInfo {
    if (!isTermError(error)) throw error
    const info = this.#info({ state: 'exited', cursor: 0, output: '' }, { from: 0, begun })
    return { ...info, infraError: { code: error.code, message: `${error.message} ${error.hint}` } }
  }

  async #act(action: Doing, on: Acting): Promise<StepResult> {
    const { terminal, begun, caller } = on
    try {
      return await this.#done(action, on)
    } catch (error) {
      if (isTermError(error) && agentsOwn.includes(error.code))
        return this.#unchanged(terminal, { begun, note: `${error.message} ${error.hint}` })
      if (isTermError(error) && error.code === 'session_exited' && (await this.#isHeld()))
        return this.#ended(terminal, begun, caller)
      return { observation: '', reward: 0, terminated: false, truncated: true, info: this.failed(error, begun) }
    }
  }

  async #done(action: Doing, { terminal, begun, timeoutMs, caller }: Acting): Promise<StepResult> {
    const { success } = this.#parts.spec
    const from = terminal.cursor
    const before = caller.endOf(terminal.id) > from ? await between(terminal, caller) : { output: '' }
    if (!isWait(action)) terminal.shown = ''
    const on = {
      terminalId: terminal.id,
      since: terminal.cursor,
      shown: join(terminal.shown, before.output),
      timeoutMs,
      caller,
    }
    const after = await act(action, on)
    const seen = { ...after, ...joinOutput(before, after, '\n') }
    const text = seen.output
    const shown = await this.#show(seen, { text, from, typed: typedBy(action), terminal, caller })
    terminal.shown = join(terminal.shown, shown.observation).slice(-shownCharactersMax)
    const isSolved = success !== undefined && `${shown.observation}\n${shown.screen ?? ''}`.includes(success.text)
    const hasEnded = seen.state === 'exited' && terminal === this.#terminal(mainTerminal)
    if (hasEnded && !(await this.#isHeld())) throw containerGone()
    const info = this.#info(seen, { from, begun, ...shown })
    const { observation } = shown
    return { observation, reward: isSolved ? 1 : 0, terminated: isSolved || hasEnded, truncated: false, info }
  }

  async #show(seen: Observation, { text, from, typed, terminal, caller }: Showing): Promise<Shown> {
    terminal.cursor = seen.cursor
    const { observation, text: kind } = this.#parts.spec
    const isFull = seen.state !== 'exited' && caller.isFullScreen(terminal.id)
    const wantsScreen = observation !== 'delta' || isFull
    const screen = wantsScreen ? (await caller.call('screenshot', { terminalId: terminal.id })).screen : undefined
    if (isFull || observation === 'screen') return screenShown(screen ?? '', observation)
    const range = { terminalId: terminal.id, from, to: seen.cursor, typed }
    const printed =
      kind === 'raw' ? await printedSince(range, caller) : { text, omittedBytes: omittedIn(text, seen.cursor - from) }
    return defined({ observation: printed.text, screen, omittedBytes: printed.omittedBytes || undefined })
  }

  /** The program ended before anything could be typed: its last output is shown. */
  async #ended(terminal: EpisodeTerminal, begun: Millis, caller: EnvironmentCall): Promise<StepResult> {
    const from = terminal.cursor
    const seen = await caller.call('read', { terminalId: terminal.id, since: from })
    terminal.cursor = seen.cursor
    const terminated = terminal === this.#terminal(mainTerminal)
    return {
      observation: seen.output,
      reward: 0,
      terminated,
      truncated: false,
      info: this.#info(seen, { from, begun }),
    }
  }

  /** The step typed nothing: a terminal cannot do the action, and the note says so, or the episode is over. */
  #unchanged({ cursor }: EpisodeTerminal, { begun, note, terminated = false }: Unchanged): StepResult {
    const info = this.#info(defined({ state: 'ready' as const, cursor, output: '', note }), { from: cursor, begun })
    return { observation: note ?? '', reward: 0, terminated, truncated: false, info }
  }

  #info(seen: Observation, { from, begun, screen, omittedBytes }: Timed): StepInfo {
    const { clock, spec, resetBy, episodeId } = this.#parts
    const { state, kind, confidence, evidence, exitCode, signal, note, missedBytes, invalidBytes, cursor } = seen
    return defined({
      state,
      kind,
      confidence,
      evidence,
      exitCode,
      signal,
      note,
      missedBytes,
      invalidBytes,
      omittedBytes,
      screen,
      cursor: { from, to: cursor },
      timing: { stepMs: Math.round((clock.now() - begun) * 1_000) / 1_000 },
      isolation: spec.isolation,
      resetBy,
      episodeId,
      step: this.#episode.steps,
      terminalId: this.#episode.terminal()?.id ?? '',
    })
  }

  /** Returns whether the container still runs; true without one. If it runs, only the program ended. */
  async #isHeld(): Promise<boolean> {
    const { container } = this.#episode
    return container === null || container.isAlive()
  }

  #terminal(name: string): EpisodeTerminal {
    const terminal = this.#episode.terminal(name)
    if (terminal !== null) return terminal
    const names = this.#episode.terminalNames.join(', ')
    throw invalidInput(`It has no terminal "${name}".`, `There are: ${names}.`)
  }
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

interface Acting {
  readonly timeoutMs: Millis
  readonly terminal: EpisodeTerminal
  readonly begun: Millis
  readonly caller: EnvironmentCall
}

interface Showing {
  readonly text: string
  readonly from: Offset
  readonly typed: string
  readonly terminal: EpisodeTerminal
  readonly caller: EnvironmentCall
}

interface Shown {
  readonly observation: string
  readonly screen?: string
  readonly omittedBytes?: number
}

interface Unchanged {
  readonly begun: Millis
  readonly note?: string
  readonly terminated?: boolean
}

interface Timed {
  readonly from: Offset
  readonly begun: Millis
  readonly screen?: string
  readonly omittedBytes?: number
}

const screenShown = (screen: string, observation: EnvironmentSpec['observation']): Shown =>
  observation === 'both' ? { observation: screen, screen } : { observation: screen }

/** The omitted bytes of a rendered text. A text over its bound states what it leaves out. */
const omittedIn = (text: string, bytes: number): number => (bytes > observationBytesMax ? statedOmission(text) : 0)

/** Returns the text that a step types, as its echo shows it. */
function typedBy(action: Doing): string {
  if (typeof action === 'string') return action
  if ('keystrokes' in action) return action.keystrokes
  return action.type === 'send' || action.type === 'paste' ? action.text : ''
}

function containerGone(): TermError {
  return new TermError('sandbox_unavailable', 'The container has ended during the step.', 'Reset the environment.')
}

/** Errors caused by the agent's action, not by the machinery. */
const agentsOwn: readonly ErrorCode[] = ['unknown_key', 'line_too_long', 'input_full', 'message_too_large']

const isFinish = (action: ParsedAction): action is { readonly type: 'finish' } =>
  typeof action === 'object' && 'type' in action && action.type === 'finish'

const isWait = (action: Doing): boolean => typeof action === 'object' && 'type' in action && action.type === 'wait'

const terminalOf = (action: Doing): string | undefined => (typeof action === 'string' ? undefined : action.terminal)

/** Returns the output between the last step and this one. */
async function between(terminal: EpisodeTerminal, { call }: EnvironmentCall): Promise<CountedOutput> {
  const seen = await call('read', { terminalId: terminal.id, since: terminal.cursor })
  terminal.cursor = seen.cursor
  return seen
}

const join = (before: string, after: string): string =>
  before === '' || after === '' ? before + after : `${before}\n${after}`
