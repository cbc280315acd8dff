/** The task of an environment played without a job: its parts, the work before each play, and the verdict. Each step is one play. */

import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { build, type Client, type Clock, defined, invalidInput, machineUnfit } from '@agentpty/protocol'
import {
  type AskedTask,
  EnvironmentSpec,
  type TaskAbout,
  type Verification,
  verifierOutputCharactersMax,
} from '@agentpty/protocol/gym'
import type { EpisodePlay } from '../episode.ts'
import { readTask, type TaskFolder } from '../harbor/read-task.ts'
import { oneReward, reachesMinimum } from '../harbor/step-rewards.ts'
import { trialConfig } from '../harbor/trial-folder.ts'
import { effectiveTimeouts } from '../make-container.ts'
import { removePath } from '../tree/remove.ts'
import { Inside } from './inside.ts'
import { type FoundTask, findTasks, generateTask } from './job-config.ts'
import { judgePlay } from './judge.ts'
import { PlayLog } from './play-log.ts'
import { prepareInside, prepareStep } from './prepare-inside.ts'
import { type PreparedTask, type PrepareOptions, prepareTask } from './prepare-task.ts'
import type { TaskStep } from './settle.ts'

export interface TaskPlaces {
  readonly clock: Clock
  /** The folder of data sets that come with agentpty. */
  readonly own: string
  /** The environment's, for everything that is written. */
  readonly folder: string
}

export interface OpenedTask {
  readonly spec: EnvironmentSpec
  readonly task: EnvironmentTask | null
}

/** One environment as its caller reaches it. */
export interface TaskCall {
  readonly call: Client['call']
  readonly environmentId: string
}

/** `asked`: of the environment. Errors: `invalid_input`, `machine_unfit`. */
export async function openTask(asked: EnvironmentSpec, task: AskedTask, places: TaskPlaces): Promise<OpenedTask> {
  refuseBoth(asked)
  const { folder, seed, allowRun, offlineOk, hostEnv, context } = typeof task === 'string' ? plainTask(task) : task
  const found = findOne(folder, places.own)
  const at = found.isGenerated ? join(places.folder, 'task') : found.folder
  if (found.isGenerated) await generateTask(found, { seed: seed ?? 0, to: at, isAllowed: false })
  const options = {
    folder: join(places.folder, 'placed'),
    allowRun,
    allowNetwork: asked.network === 'on',
    offlineOk,
    hostVariables: hostEnv,
  }
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const read = readTask(at)
  const prepared =
    context === undefined
      ? await prepareTask(read, options)
      : await prepareTask(contextOnly(read), { ...options, context })
  const judges = context === undefined
  return { spec: specOf(asked, prepared), task: new EnvironmentTask(prepared, { ...options, judges }, places) }
}

const plainTask = (folder: string) => ({
  folder,
  seed: undefined,
  allowRun: false,
  offlineOk: false,
  context: undefined,
  hostEnv: {},
})

/** For a caller that has its variables, its steps and its health in hand. */
function contextOnly(read: TaskFolder): TaskFolder {
  const environment = { ...read.task.environment, env: {}, healthcheck: null }
  return { ...read, steps: [], instruction: read.instruction ?? '', task: { ...read.task, environment, steps: [] } }
}

/** Merges the specifications; a value of the task wins. */
function specOf(asked: EnvironmentSpec, { spec }: PreparedTask): EnvironmentSpec {
  const { rows, cols, clock, observation, text, stepTimeoutMs, maxEpisodeSteps, resetBy, scope, env } = asked
  const others = defined({ rows, cols, clock, observation, text, stepTimeoutMs, maxEpisodeSteps, resetBy, scope })
  return EnvironmentSpec.parse({ ...others, ...spec, env: { ...spec.env, ...env } })
}

function refuseBoth({ program, terminals, files, layers, success, isolation }: EnvironmentSpec): void {
  const given = Object.entries({ program, terminals, files, layers: layers[0], success })
  const second = given.find(([, value]) => value !== undefined)
  if (second !== undefined) throw invalidInput(`The task says itself what ${second[0]} is.`, `Leave ${second[0]} out.`)
  if (isolation === 'none') throw invalidInput('A task is played and judged in a container.', 'Leave isolation out.')
}

function findOne(folder: string, own: string): FoundTask {
  const tasks = findTasks([isAbsolute(folder) ? folder : resolve(own, folder)], own)
  const [only] = tasks
  if (only !== undefined && tasks.length === 1) return only
  const names = tasks.map(({ name }) => name)
  throw invalidInput(`${folder} holds ${tasks.length} tasks.`, `Name one of them: ${names.slice(0, 40).join(', ')}.`)
}

export interface EnvironmentTaskOptions extends PrepareOptions {
  readonly judges: boolean
}

export class EnvironmentTask {
  readonly #prepared: PreparedTask
  readonly #options: EnvironmentTaskOptions
  readonly #places: TaskPlaces
  #at = 0
  /** The start of the next play with the files of another one; null: a new start. */
  #goesOn: { readonly at: number; readonly isNew: boolean } | null = null
  #next: number | null = null
  #judged = 0

  constructor(prepared: PreparedTask, options: EnvironmentTaskOptions, places: TaskPlaces) {
    this.#prepared = prepared
    this.#options = options
    this.#places = places
  }

  /** Whether its verifier has its say at the end of an episode. */
  get judges(): boolean {
    return this.#options.judges
  }

  get about(): TaskAbout {
    const { task, notes } = this.#prepared
    return { name: task.name, instruction: this.#instruction, step: this.#step?.name ?? null, notes: [...notes] }
  }

  /** Prepares the environment before the play. Errors: `machine_unfit`. */
  async begin({ call, environmentId }: TaskCall): Promise<void> {
    const inside = new Inside({ call }, environmentId)
    const goesOn = this.#goesOn
    this.#goesOn = null
    this.#next = null
    this.#at = goesOn?.at ?? 0
    if (goesOn === null) await prepareInside(inside, this.#prepared)
    const step = this.#step
    if (step !== null && goesOn?.isNew !== false) await prepareStep(inside, this.#prepared, step)
  }

  /** Continues with the files of `other` in the next play: in its step, or in the next step where that one was judged. */
  goOnFrom(other: EnvironmentTask): void {
    this.#goesOn = { at: other.#next ?? other.#at, isNew: other.#next !== null }
    this.#at = this.#goesOn.at
  }

  /** Errors: `invalid_input`. */
  checkReplay(): void {
    if (this.#at > 0) throw invalidInput('Only its first step can be played again.', 'Fork it by {"how":"files"}.')
  }

  /** Ends every program inside. Errors: those of the machinery; `invalid_input` for a verifier that lacks something. */
  async judge(play: EpisodePlay, { call, environmentId }: TaskCall): Promise<Verification> {
    const folder = join(this.#places.folder, `judged-${++this.#judged}`)
    const agentFolder = join(folder, 'agent')
    const artifactsFolder = join(folder, 'artifacts')
    const own = join(folder, 'verifier')
    for (const one of [agentFolder, artifactsFolder, own]) mkdirSync(one, { recursive: true })
    try {
      const { verdict } = await judgePlay({
        client: { call },
        prepared: this.#prepared,
        options: this.#options,
        step: this.#step,
        inside: new Inside({ call }, environmentId),
        log: this.#logOf(play),
        agentFolder,
        artifactsFolder,
        isSolution: false,
        folder: own,
        timeoutSeconds: this.#verifierSeconds(),
      })
      if (verdict.outcome === 'broken') throw machineUnfit(verdict.message, verdict.hint)
      const output = await readFile(join(own, 'test-stdout.txt'), 'utf8')
      const rewards = verdict.outcome === 'rewarded' ? verdict.rewards : null
      const nextStep = this.#stepAfter(rewards)
      return defined({
        reward: rewards === null ? 0 : oneReward(rewards),
        rewards,
        problem: verdict.outcome === 'failed' ? `${verdict.error}: ${verdict.message}` : undefined,
        output: output.slice(-verifierOutputCharactersMax),
        nextStep,
      })
    } finally {
      await removePath(folder)
    }
  }

  #logOf({ begun, taken }: EpisodePlay): PlayLog {
    const { task, own } = this.#prepared
    const log = new PlayLog(this.#places.clock, {
      agent: { name: 'environment', version: build },
      isScripted: false,
      instruction: this.#instruction,
      extra: { agentpty: { task: task.folder, step: this.#step?.name ?? null, deterministic: own.deterministic } },
    })
    log.begin(begun)
    for (const { action, result } of taken) if (result !== null) log.add({ action, result })
    return log
  }

  #stepAfter(rewards: Verification['rewards']): string | null {
    const step = this.#step
    const after = this.#steps[this.#at + 1]
    const goesOn = step !== null && after !== undefined && reachesMinimum(step.min_reward, rewards)
    this.#next = goesOn ? this.#at + 1 : null
    return goesOn ? after.name : null
  }

  #verifierSeconds(): number {
    const { task } = this.#prepared
    return effectiveTimeouts(task.task, trialConfig({ task: { path: task.folder } }), this.#step).verifier
  }

  get #steps(): readonly TaskStep[] {
    return this.#prepared.task.task.steps
  }

  get #step(): TaskStep | null {
    return this.#steps[this.#at] ?? null
  }

  get #instruction(): string {
    const { task } = this.#prepared
    return (task.instruction ?? task.steps.find(({ name }) => name === this.#step?.name)?.instruction ?? '').trim()
  }
}
