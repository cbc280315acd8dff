/** The folder of a trial: its paths, and the objects in its files, built from the data of the trial. */

import { join } from 'node:path'
import { isoTime } from '@agentpty/engine/system-clock'
import {
  AgentContext,
  ArtifactManifest,
  type ExceptionInfo,
  resultFileBytesMax,
  type Timing,
  TrialConfig,
  TrialResult,
} from '@agentpty/protocol/gym'
import { readJsonInside } from '../folder-files.ts'
import { parseAs } from '../json-text.ts'
import { jsonFileText, writeWhole } from '../whole-file.ts'

/** Paths from the trial's folder. */
export const trialPlaces = {
  config: 'config.json',
  result: 'result.json',
  exception: 'exception.txt',
  log: 'trial.log',
  agent: 'agent',
  trajectory: 'agent/trajectory.json',
  images: 'agent/images',
  recording: 'agent/recording.cast',
  oracleLog: 'agent/oracle.txt',
  exitCode: 'agent/exit-code.txt',
  verifier: 'verifier',
  testOutput: 'verifier/test-stdout.txt',
  artifacts: 'artifacts',
  manifest: 'artifacts/manifest.json',
} as const

/** Folders of one step in a task with several steps; they are like the trial's own. */
export const stepPlaces = (step: string) =>
  ({ agent: `steps/${step}/agent`, verifier: `steps/${step}/verifier`, artifacts: `steps/${step}/artifacts` }) as const

const taskCharactersMax = 32
const randomCharacters = 7
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * `random`: at least seven bytes.
 *
 * @example trialName('tty/vim-block-edit', randomBytes(7)) // 'vim-block-edit__k3Pz0aQ'
 */
export function trialName(task: string, random: Uint8Array): string {
  const name = (task.split('/').at(-1) ?? task).replaceAll(/[^\w.-]|^\.+/g, '-')
  const ending = [...random.subarray(0, randomCharacters)].map((byte) => letters[byte % letters.length])
  return `${name.slice(0, taskCharactersMax)}__${ending.join('')}`
}

/** `from`, `to`: wall times; null: not yet. */
export function timing(from: number, to: number | null): Timing {
  return { started_at: isoTime(from), finished_at: to === null ? null : isoTime(to) }
}

export interface TrialException {
  readonly type: string
  readonly message: string
  readonly traceback?: string
  /** Wall time. */
  readonly at: number
}

export function exceptionInfo({ type, message, traceback = '', at }: TrialException): ExceptionInfo {
  return { exception_type: type, exception_message: message, exception_traceback: traceback, occurred_at: isoTime(at) }
}

/** Builds the usage of an agent; unknown values are null. */
export const agentContext = (known: Partial<AgentContext>): AgentContext => AgentContext.parse(known)

/** `written`: what the trial was given; the rest is as by default. Errors: `invalid_input`. */
export function trialConfig(written: unknown): TrialConfig {
  return parseAs(TrialConfig, written, trialPlaces.config)
}

export interface TrialFacts {
  readonly id: string
  readonly taskName: string
  readonly taskId: TrialResult['task_id']
  readonly taskChecksum: string
  readonly config: TrialConfig
  readonly trialUri: string
  readonly source: string | null
  readonly agent: {
    readonly name: string
    readonly version: string
    readonly model: TrialResult['agent_info']['model_info']
  }
  readonly agentContext: AgentContext | null
  readonly rewards: Readonly<Record<string, number>> | null
  readonly exception: ExceptionInfo | null
  readonly timings: Pick<TrialResult, 'environment_setup' | 'agent_setup' | 'agent_execution' | 'verifier'>
  readonly whole: Timing
  readonly steps: TrialResult['step_results']
  readonly notes: readonly string[]
}

export function trialResult(facts: TrialFacts): TrialResult {
  return {
    id: facts.id,
    task_name: facts.taskName,
    trial_name: facts.config.trial_name,
    trial_uri: facts.trialUri,
    task_id: facts.taskId,
    source: facts.source,
    task_checksum: facts.taskChecksum,
    config: facts.config,
    agent_info: { name: facts.agent.name, version: facts.agent.version, model_info: facts.agent.model },
    agent_result: facts.agentContext,
    verifier_result: facts.rewards === null ? null : { rewards: facts.rewards },
    exception_info: facts.exception,
    started_at: facts.whole.started_at,
    finished_at: facts.whole.finished_at,
    ...facts.timings,
    step_results: facts.steps,
    // A key of ours, which Harbor passes over.
    agentpty: { notes: [...facts.notes] },
  }
}

export interface TrialFiles {
  readonly config: TrialConfig
  readonly result: TrialResult
  readonly artifacts: ArtifactManifest
}

/** The result comes last: a folder that has one is whole. Errors: `machine_unfit`, `invalid_input`. */
export function writeTrial(folder: string, { config, result, artifacts }: TrialFiles): void {
  const write = (place: string, value: unknown) => writeWhole(join(folder, place), jsonFileText(value))
  const checked = parseAs(TrialResult, result, trialPlaces.result)
  write(trialPlaces.config, parseAs(TrialConfig, config, trialPlaces.config))
  if (artifacts.length > 0) write(trialPlaces.manifest, parseAs(ArtifactManifest, artifacts, trialPlaces.manifest))
  const { exception_info: exception } = checked
  if (exception !== null) {
    const { exception_type: type, exception_message: message, exception_traceback: traceback } = exception
    writeWhole(join(folder, trialPlaces.exception), `${type}: ${message}\n${traceback === '' ? '' : `${traceback}\n`}`)
  }
  write(trialPlaces.result, checked)
}

/** Null for a trial that is not over. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readTrialResult(folder: string): TrialResult | null {
  return readJsonInside(TrialResult, { folder, path: trialPlaces.result, bytesMax: resultFileBytesMax })
}
