/**
 * One trial: a task, played once and judged from outside. Its folder contains everything, in Harbor's files.
 *
 * A fault of the machinery ends the trial with an error and never with a reward. A fault of the player (too slow, not ended cleanly) is
 * noted, and the trial is still judged.
 */

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Client } from '@agentpty/protocol'
import type { ArtifactManifest, ExceptionInfo, TrialResult } from '@agentpty/protocol/gym'
import { temporaryFolder } from '@agentpty/server/files'
import { taskDigest } from '../harbor/dataset.ts'
import { readTask } from '../harbor/read-task.ts'
import { taskRewards } from '../harbor/step-rewards.ts'
import { timing, trialResult, writeTrial } from '../harbor/trial-folder.ts'
import { removePath } from '../tree/remove.ts'
import { Inside } from './inside.ts'
import { playParts, type StepEnd } from './play-parts.ts'
import { prepareTask } from './prepare-task.ts'
import { faultOf, Phases, type TrialParts } from './trial-parts.ts'

export interface TrialEnd {
  readonly result: TrialResult
  readonly steps: number
  /** The machinery has failed. */
  readonly isFailed: boolean
  readonly notes: readonly string[]
}

export async function playTrial(parts: TrialParts): Promise<TrialEnd> {
  const { clock, folder, request } = parts
  const startedAt = clock.wall()
  const temporary = temporaryFolder('agentpty-gym-')
  const scratch = temporary.path
  const phases = new Phases(clock)
  let ends: readonly StepEnd[] = []
  let fault: ExceptionInfo | null = null
  let manifest: ArtifactManifest = []
  let notes: readonly string[] = []
  try {
    await parts.prepare()
    const options = { folder: scratch, ...request }
    const prepared = await prepareTask(readTask(parts.task), options)
    notes = prepared.notes
    const seat = await phases.during('agent_setup', async () => (await parts.player.sit?.()) ?? null)
    let client: Client | null = null
    try {
      const opened = await parts.connect()
      client = opened
      const spec = seat === null ? prepared.spec : { ...prepared.spec, scope: seat.scope }
      const inside = await phases.during('environment_setup', () => Inside.make(opened, spec))
      ;({ ends, manifest } = await playParts({ ...parts, client: opened, prepared, options, inside, phases, seat }))
    } finally {
      await seat?.leave()
      await client?.close()
    }
  } catch (error) {
    fault = faultOf(error, clock.wall())
  } finally {
    await removePath(scratch)
    await temporary.remove()
  }
  const faults = ends.filter((end) => end.result.exception_info !== null)
  const first = faults.find(({ isBroken }) => isBroken) ?? faults[0]
  const exception = fault ?? first?.result.exception_info ?? null
  const result = resultOf(parts, { ends, exception, phases, startedAt, notes })
  writeTrial(folder, { config: parts.config, result, artifacts: manifest })
  const isFailed = fault !== null || ends.some(({ isBroken }) => isBroken)
  return { result, steps: ends.reduce((sum, end) => sum + end.steps, 0), isFailed, notes }
}

interface Ending {
  readonly ends: readonly StepEnd[]
  readonly exception: ExceptionInfo | null
  readonly phases: Phases
  readonly startedAt: number
  readonly notes: readonly string[]
}

function resultOf(parts: TrialParts, { ends, exception, phases, startedAt, notes }: Ending): TrialResult {
  const { player, config, folder, clock } = parts
  mkdirSync(folder, { recursive: true })
  const task = safely(() => readTask(parts.task))
  const [first] = ends
  const isOfSteps = ends.some((end) => end.name !== null)
  const isBroken = ends.some((end) => end.isBroken)
  const rewards = isBroken
    ? null
    : isOfSteps
      ? taskRewards(task?.task.multi_step_reward_strategy ?? null, ends.map(rewardsOf))
      : rewardsOf(first)
  return trialResult({
    id: randomUUID(),
    taskName: task?.name ?? parts.task,
    taskId: { path: parts.task },
    taskChecksum: safely(() => taskDigest(parts.task)) ?? '',
    config,
    trialUri: `file://${folder}`,
    source: parts.source,
    agent: {
      name: player.name,
      version: player.version,
      model: player.model === null ? null : { name: player.model, provider: null },
    },
    agentContext: isOfSteps ? null : (first?.result.agent_result ?? null),
    rewards,
    exception,
    timings: phases.all,
    whole: timing(startedAt, clock.wall()),
    steps: isOfSteps ? ends.map((end) => end.result) : null,
    notes,
  })
}

const rewardsOf = (end: StepEnd | undefined) => end?.result.verifier_result?.rewards ?? null

/** Returns null for a folder that cannot be read: the trial reports the reason itself. */
function safely<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    // The trial's exception says what is wrong with it.
    return null
  }
}
