/** The play itself and its verdict: once for a task, or for each of its steps, one after the other in the same files. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type ErrorCode, ignoring, isTermError, machineUnfit, TermError } from '@agentpty/protocol'
import {
  type Action,
  type ArtifactManifest,
  agentSecondsDefault,
  type ExceptionInfo,
  type ResetResult,
  type TrialResult,
} from '@agentpty/protocol/gym'
import { reachesMinimum } from '../harbor/step-rewards.ts'
import { stepPlaces, timing, trialPlaces } from '../harbor/trial-folder.ts'
import { effectiveTimeouts } from '../make-container.ts'
import type { Inside } from './inside.ts'
import type { Seat, Table } from './job-result.ts'
import { type Judgement, judgePlay } from './judge.ts'
import { PlayLog } from './play-log.ts'
import { prepareInside, prepareStep } from './prepare-inside.ts'
import type { PreparedTask, PrepareOptions } from './prepare-task.ts'
import type { TaskStep } from './settle.ts'
import { faultOf, type Phases, playerFault, type TrialParts } from './trial-parts.ts'

export interface PlayParts extends TrialParts {
  readonly client: Client
  readonly prepared: PreparedTask
  readonly options: PrepareOptions
  readonly inside: Inside
  readonly phases: Phases
  readonly seat: Seat | null
}

export interface StepEnd {
  /** Null for a task without steps. */
  readonly name: string | null
  readonly steps: number
  /** The verifier could not do its work. */
  readonly isBroken: boolean
  readonly result: NonNullable<TrialResult['step_results']>[number]
}

export interface PlayEnd {
  readonly ends: readonly StepEnd[]
  readonly manifest: ArtifactManifest
}

/** Plays in an environment, and always closes it. Errors: those of the machinery. */
export async function playParts(parts: PlayParts): Promise<PlayEnd> {
  const { prepared } = parts
  let { inside } = parts
  const { steps } = prepared.task.task
  const ends: StepEnd[] = []
  const manifest: ArtifactManifest[number][] = []
  try {
    let begun = await parts.phases.during('environment_setup', () => inside.reset())
    checkMachinery(begun)
    await prepareInside(inside, prepared)
    for (const step of steps.length === 0 ? [null] : steps) {
      if (ends.length > 0) {
        const next = await inside.goOn()
        await inside.close()
        ;({ inside, begun } = next)
        checkMachinery(begun)
      }
      const played = await playOne({ ...parts, inside }, step, begun)
      ends.push(played.end)
      manifest.push(...played.manifest)
      if (played.end.isBroken) break
      if (step !== null && !reachesMinimum(step.min_reward, played.rewards)) break
    }
    return { ends, manifest }
  } finally {
    // The server may be gone, which the trial has already reported.
    await inside.close().catch(ignoring())
  }
}

function checkMachinery({ info }: Pick<ResetResult, 'info'>): void {
  if (info.infraError !== undefined)
    throw machineUnfit(info.infraError.message, 'The trial says nothing of who played.')
}

async function playOne(parts: PlayParts, step: TaskStep | null, begun: ResetResult) {
  const { prepared, folder, clock, phases, inside } = parts
  const places = step === null ? trialPlaces : stepPlaces(step.name)
  const agentFolder = join(folder, places.agent)
  for (const place of [places.agent, places.verifier]) mkdirSync(join(folder, place), { recursive: true })
  const startedAt = clock.wall()
  if (step !== null) await prepareStep(inside, prepared, step)
  const log = new PlayLog(clock, aboutPlay(parts, step))
  log.begin(begun)
  if (log.terminalId !== null) parts.tellTerminal(log.terminalId)
  const { played, exception } = await phases.during('agent_execution', () =>
    playTimed(parts, { step, begun, log, agentFolder }),
  )
  const playedAt = clock.wall()
  const artifactsFolder = join(folder, places.artifacts)
  const { verifier: timeoutSeconds } = effectiveTimeouts(prepared.task.task, parts.config, step)
  const { verdict, manifest } = await phases.during('verifier', () =>
    judgePlay({
      ...parts,
      log,
      artifactsFolder,
      step,
      isSolution: parts.player.isSolution === true,
      agentFolder,
      folder: join(folder, places.verifier),
      timeoutSeconds,
    }),
  )
  const rewards = verdict.outcome === 'rewarded' ? verdict.rewards : null
  log.writeTrajectory(agentFolder, rewards)
  const fault = judgeFault(verdict, clock.wall()) ?? exception ?? verdictFault(verdict, clock.wall())
  const result = {
    step_name: step?.name ?? '',
    agent_result: played?.context ?? null,
    verifier_result: rewards === null ? null : { rewards },
    exception_info: fault,
    agent_execution: timing(startedAt, playedAt),
    verifier: timing(playedAt, clock.wall()),
  }
  const isBroken = verdict.outcome === 'broken'
  return { manifest, rewards, end: { name: step?.name ?? null, steps: log.steps, isBroken, result } }
}

const verdictFault = (verdict: Judgement, at: number): ExceptionInfo | null =>
  verdict.outcome === 'failed' ? playerFault(verdict.error, verdict.message, at) : null

const judgeFault = (verdict: Judgement, at: number): ExceptionInfo | null =>
  verdict.outcome === 'broken' ? faultOf(machineUnfit(verdict.message, verdict.hint), at) : null

function aboutPlay({ player, prepared, seed, task }: PlayParts, step: TaskStep | null) {
  return {
    agent: {
      name: player.name,
      version: player.version,
      ...(player.model === null ? {} : { model_name: player.model }),
    },
    isScripted: player.isScripted,
    instruction: instructionOf(prepared, step),
    extra: { agentpty: { task, seed, step: step?.name ?? null } },
  }
}

const instructionOf = ({ task }: PreparedTask, step: TaskStep | null): string =>
  (step === null ? task.instruction : task.steps.find(({ name }) => name === step.name)?.instruction) ?? ''

interface Playing {
  readonly step: TaskStep | null
  readonly begun: ResetResult
  readonly log: PlayLog
  readonly agentFolder: string
}

/** Errors: those of the machinery, and `cancelled`. */
async function playTimed(parts: PlayParts, { step, begun, log, agentFolder }: Playing) {
  const { clock, prepared, inside, player, signal, seat } = parts
  const seconds = effectiveTimeouts(prepared.task.task, parts.config, step).agent ?? agentSecondsDefault
  const time = new AbortController()
  const cancelTimer = clock.callAt(clock.now() + seconds * 1_000, () => time.abort())
  const both = AbortSignal.any([time.signal, signal])
  const act = async (action: Action) => {
    const result = await inside.step(action)
    checkMachinery(result)
    log.add({ action, result })
    return result
  }
  const table: Table = {
    clock,
    client: parts.client,
    prepared,
    stepName: step?.name ?? null,
    instruction: instructionOf(prepared, step),
    begun,
    inside,
    seat,
    folder: agentFolder,
    timeoutMs: seconds * 1_000,
    signal: both,
    act,
    noteTyped: (typed) => log.addTyped(typed),
  }
  try {
    const played = await Promise.race([player.play(table), aborted(both)])
    if (signal.aborted) throw new TermError('cancelled', 'The job was cancelled.', 'Run it again.')
    if (played === null)
      return {
        played,
        exception: playerFault('AgentTimeoutError', `The agent took more than ${seconds} s.`, clock.wall()),
      }
    const { exitCode, lastWords } = played
    if (exitCode === null || exitCode === 0) return { played, exception: null }
    const why = lastWords === null ? '.' : `: ${lastWords}`
    const said = `The agent ended with exit code ${exitCode}${why}`
    return { played, exception: playerFault('NonZeroAgentExitCodeError', said, clock.wall()) }
  } catch (error) {
    const isOwn = isTermError(error) && playersOwn.includes(error.code)
    if (!isOwn || player.isScripted) throw error
    return { played: null, exception: playerFault('AgentError', `${error.message} ${error.hint}`, clock.wall()) }
  } finally {
    cancelTimer()
    time.abort()
  }
}

/** Errors that the player causes. */
const playersOwn: readonly ErrorCode[] = ['invalid_input', 'spawn_failed', 'message_too_large']

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
