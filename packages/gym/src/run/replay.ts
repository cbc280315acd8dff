/** A trajectory played again: the same actions on the same beginning, and where what is shown differs. */

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Client, type Clock, invalidInput, machineUnfit } from '@agentpty/protocol'
import {
  Action,
  type EnvironmentInput,
  type ReplayDifference,
  type ReplayReport,
  type ReplayRequest,
} from '@agentpty/protocol/gym'
import { isObject } from '@agentpty/protocol/wire'
import { temporaryFolder } from '@agentpty/server/files'
import type { Step, Trajectory } from '../atif/trajectory.ts'
import { readTrajectory } from '../atif/validate.ts'
import { readTask } from '../harbor/read-task.ts'
import { parseAs } from '../json-text.ts'
import { Inside } from './inside.ts'
import { prepareInside } from './prepare-inside.ts'
import { prepareTask } from './prepare-task.ts'
import { readActions } from './scripted-players.ts'

/** A recorded action and the output shown then; null: the output is unknown, or was recorded in other words. */
interface Recorded {
  readonly action: Action
  readonly observation: string | null
}

interface Source {
  readonly steps: readonly Recorded[]
  readonly agent: string
  readonly task: string | null
  readonly screen: string | null
  readonly recordedMs: number | null
}

/** Every file below the working folder, by what is in it. */
const filesDigest = 'find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum | sha256sum | cut -c1-64'

/** Errors: `invalid_input` for what is no trajectory; those of the environment. */
export async function replay(clock: Clock, client: Client, request: ReplayRequest): Promise<ReplayReport> {
  const source = readSource(resolve(request.source))
  const temporary = temporaryFolder('agentpty-gym-')
  const scratch = temporary.path
  const folder = request.task ?? source.task
  const options = { folder: scratch, allowRun: true, allowNetwork: false, offlineOk: true, hostVariables: {} }
  const prepared = folder === null ? null : await prepareTask(readTask(resolve(folder)), options)
  const bare: EnvironmentInput = { program: ['bash', '--login'], rows: 40, cols: 160 }
  const inside = await Inside.make(client, prepared?.spec ?? bare)
  try {
    const { info } = await inside.reset()
    if (info.infraError !== undefined) throw machineUnfit(info.infraError.message, 'Try again.')
    if (prepared !== null) await prepareInside(inside, prepared)
    const begun = clock.now()
    const differences = await take(inside, source.steps, request.legacySleep)
    const durationMs = clock.now() - begun
    const { screen } = await client.call('screenshot', { terminalId: info.terminalId, format: 'plain' })
    const { output } = await inside.run(filesDigest)
    return {
      task: folder,
      agent: source.agent,
      steps: source.steps.length,
      differences,
      durationMs,
      recordedMs: source.recordedMs,
      screen,
      isSameScreen: source.screen === null ? null : source.screen.trimEnd() === screen.trimEnd(),
      files: output.toString().trim(),
    }
  } finally {
    await inside.close()
    await temporary.remove()
  }
}

async function take(inside: Inside, steps: readonly Recorded[], legacySleep: boolean) {
  const differences: ReplayDifference[] = []
  for (const [at, { action, observation }] of steps.entries()) {
    const sleeps = legacySleep && typeof action === 'object' && 'keystrokes' in action
    const shown = await inside.step(sleeps ? { ...action, legacySleep: true } : action)
    if (shown.info.infraError !== undefined) throw machineUnfit(shown.info.infraError.message, 'Try again.')
    if (observation !== null && observation !== shown.observation)
      differences.push({ step: at + 1, recorded: observation, shown: shown.observation })
    if (shown.terminated || shown.truncated) break
  }
  return differences
}

function readSource(path: string): Source {
  if (!existsSync(path))
    throw invalidInput(`${path} is not there.`, 'Name a trajectory.json, the folder of a trial, or a file of actions.')
  if (statSync(path).isDirectory()) return readSource(trajectoryIn(path))
  if (path.endsWith('.jsonl')) {
    const actions = readActions(dirname(path), basename(path)) ?? []
    const steps = actions.map((action) => ({ action, observation: null }))
    return { steps, agent: basename(path), task: null, screen: null, recordedMs: null }
  }
  const trajectory = readTrajectory(dirname(path), basename(path))
  if (trajectory === null) throw invalidInput(`${path} is not there.`, 'Name a trajectory.json.')
  return ofTrajectory(trajectory, path)
}

function trajectoryIn(folder: string): string {
  const found = ['agent/trajectory.json', 'trajectory.json']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  if (found !== undefined) return found
  throw invalidInput(`${folder} has no trajectory.`, 'Name the folder of a trial, which has agent/trajectory.json.')
}

function ofTrajectory(trajectory: Trajectory, path: string): Source {
  const about = trajectory.extra?.['agentpty']
  const own = isObject(about) ? about : {}
  const { task } = own
  const screen = trajectory.extra?.['screen']
  return {
    steps: trajectory.steps.flatMap((step) => stepActions(step, path)),
    agent: trajectory.agent.name,
    task: typeof task === 'string' && existsSync(task) ? task : null,
    screen: typeof screen === 'string' ? screen : null,
    recordedMs: lastedMs(trajectory.steps),
  }
}

/** Ours are `step {action}`; Terminus-2 writes `bash_command {keystrokes, duration}`. What else there is types nothing. */
function stepActions({ tool_calls = [], observation, step_id }: Step, path: string): readonly Recorded[] {
  const where = `${path}, step ${step_id}`
  return tool_calls.flatMap(({ tool_call_id, function_name, arguments: given }): readonly Recorded[] => {
    if (function_name === 'step' && 'action' in given) {
      const shown = observation?.results.find(({ source_call_id }) => source_call_id === tool_call_id)?.content
      const action = parseAs(Action, given['action'], where) as Action
      return [{ action, observation: typeof shown === 'string' ? shown : null }]
    }
    if (function_name !== 'bash_command') return []
    const { keystrokes = '', duration = 1 } = given
    return [{ action: parseAs(Action, { keystrokes, duration }, where) as Action, observation: null }]
  })
}

function lastedMs(steps: readonly Step[]): number | null {
  const times = steps.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter((time) => !Number.isNaN(time))
  const first = times[0]
  const last = times.at(-1)
  return first === undefined || last === undefined || times.length < 2 ? null : last - first
}
