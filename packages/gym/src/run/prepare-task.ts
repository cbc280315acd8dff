/**
 * A task's folder as an environment: where its files are inside, which program runs on the terminal, and which parts are not supported.
 *
 * There are no images here. Instructions of a Dockerfile that only copy files are followed; those that would change the task are refused.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined, invalidInput } from '@agentpty/protocol'
import {
  containerMemoryBytesDefault,
  dockerfileBytesMax,
  type EnvironmentInput,
  type RunRequest,
} from '@agentpty/protocol/gym'
import { OwnMetadata } from '../atif/trajectory.ts'
import { hasFolder, readTextInside } from '../folder-files.ts'
import { type Dockerfile, parseDockerfile, type RunStep } from '../harbor/dockerfile.ts'
import type { HarborTask } from '../harbor/harbor-task.ts'
import { resolveVariables } from '../harbor/host-variables.ts'
import type { TaskFolder } from '../harbor/read-task.ts'
import { verifierPlace } from '../harbor/verifier-rewards.ts'
import { insideVariables } from '../inside.ts'
import { parseAs } from '../json-text.ts'
import { isOpen, networkNeed, phaseNetworks } from './network-need.ts'
import { putInPlace } from './put-in-place.ts'

export interface PrepareOptions extends Pick<RunRequest, 'allowRun' | 'allowNetwork' | 'offlineOk' | 'hostVariables'> {
  /** For copies of files; the caller that made the folder removes it. */
  readonly folder: string
  /** The folder below the task's whose Dockerfile is followed, by a caller that does all else itself; null: `environment`, and all else. */
  readonly context?: string | null
}

export interface PreparedTask {
  readonly task: TaskFolder
  readonly own: OwnMetadata
  readonly spec: EnvironmentInput & { readonly workdir: string }
  /** Commands of its Dockerfile, run inside before the play. */
  readonly runs: readonly RunStep[]
  /** The image that its Dockerfile names and that is not used; null without one. */
  readonly image: string | null
  /** Notes for a person about differences from the task. */
  readonly notes: readonly string[]
}

const workdirDefault = '/app'
/** The folders of programs inside, which are those of this machine. */
const insideFolders = (insideVariables('/', null, {})['PATH'] ?? '').split(':')

export const hasCommand = (name: string): boolean => insideFolders.some((at) => existsSync(join(at, name)))

/** Errors: `invalid_input` for what cannot be done here, with the next move. */
export async function prepareTask(task: TaskFolder, options: PrepareOptions): Promise<PreparedTask> {
  const { metadata, environment } = task.task
  const file = join(task.folder, 'task.toml')
  const own = parseAs(OwnMetadata, metadata['agentpty'] ?? {}, `${file}: metadata.agentpty`)
  refuseWhatIsMissing(task, own)
  const context = options.context ?? 'environment'
  const image = imageOf(task, context)
  const verifierImage = options.context === undefined ? verifierImageOf(task) : null
  const runs = runsOf(image, options, `${task.folder}/${context}/Dockerfile`)
  refuseMissingNetwork(task, options)
  const base = await baseOf(task, image, { ...options, context })
  const notes = [
    ...notesOf(image, 'Dockerfile'),
    ...notesOf(verifierImage, 'tests/Dockerfile'),
    ...(image === null ? imageNote(task.task) : []),
    ...environmentNotes(environment, options),
  ]
  const { program, terminals, rows, cols, clock, observation, stepTimeoutMs, maxEpisodeSteps } = own
  const spec = {
    ...base,
    ...defined({ program, terminals, rows, cols, clock, observation, stepTimeoutMs, maxEpisodeSteps }),
    env: { ...image?.environment, ...variablesOf(environment.env, options.hostVariables, file) },
    network: networkIn(phaseNetworks(task.task).agent, options),
  } as EnvironmentInput & { readonly workdir: string }
  return { task, own, spec, runs, image: image?.image ?? null, notes }
}

export const networkIn = (mode: HarborTask['environment']['network_mode'], { allowNetwork }: PrepareOptions) =>
  isOpen(mode) && allowNetwork ? ('on' as const) : ('off' as const)

/** Prepares the environment of a separate verifier: from the Dockerfile of the tests, or the task's environment without its program. */
export async function prepareVerifier(
  task: TaskFolder,
  options: PrepareOptions,
): Promise<Pick<PreparedTask, 'spec' | 'runs'>> {
  const own = verifierImageOf(task)
  const image = own ?? imageOf(task, 'environment')
  const base =
    own === null
      ? await baseOf(task, image, { ...options, context: 'environment' })
      : await placed(own, join(task.folder, 'tests'), options)
  const spec = {
    ...base,
    layers: [...base.layers],
    env: { ...image?.environment },
    program: ['sleep', 'infinity'],
    // No caller waits for it to be ready.
    stepTimeoutMs: 0,
    network: networkIn(phaseNetworks(task.task).verifier, options),
  }
  // Its own commands need no permission: its tests are run in the same container anyway.
  return { spec, runs: runsOf(image, { ...options, allowRun: options.allowRun || own !== null }, task.folder) }
}

/** Null where the verifier has no Dockerfile, or runs in the files of the play. */
const verifierImageOf = (task: TaskFolder): Dockerfile | null =>
  task.verifierDockerfile === null || !hasOwnVerifier(task) ? null : imageOf(task, 'tests')

const hasOwnVerifier = ({ task }: TaskFolder): boolean =>
  [null, ...task.steps].some((step) => verifierPlace(task, step).kind === 'separate')

/** A reward of a task without the network that it needs would say nothing of the player. */
function refuseMissingNetwork(task: TaskFolder, { allowNetwork, offlineOk }: PrepareOptions): void {
  if (offlineOk) return
  const { agent, verifier } = phaseNetworks(task.task)
  const hint =
    'Play it without: --offline-ok, or {"offlineOk":true} of an environment’s task. Whether its verifier can judge then is yours to find out.'
  if (allowNetwork) {
    if (!isOpen(agent) && isOpen(verifier) && !hasOwnVerifier(task))
      throw invalidInput(
        `${task.folder}: its verifier asks for the network and its agent may not have it, which is not possible in one container.`,
        hint,
      )
    return
  }
  const need = networkNeed(task)
  if (need === null) return
  throw invalidInput(
    `${task.folder} needs the network: ${need}.`,
    `Allow it: --allow-network, or {"network":"on"} of an environment. ${hint}`,
  )
}

function refuseWhatIsMissing({ folder, environment, task }: TaskFolder, own: OwnMetadata): void {
  const refuse = (what: string, hint: string) => {
    throw invalidInput(`${folder}: ${what}.`, hint)
  }
  if (environment === 'compose')
    refuse('it needs several containers (docker-compose.yaml)', 'Play it with Harbor and Docker.')
  const { os, gpus, tpu } = task.environment
  if (os === 'windows') refuse('it is a task for Windows', 'Play it with Harbor on Windows.')
  if ((gpus ?? 0) > 0 || tpu !== null) refuse('it needs a GPU or a TPU', 'Play it with Harbor where there is one.')
  const missing = own.commands.filter((name) => !hasCommand(name))
  if (missing.length > 0)
    refuse(
      `it needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not on this machine`,
      installHint(own),
    )
}

const installHint = ({ requires }: OwnMetadata): string =>
  requires.length === 0 ? 'Install it.' : `On Debian and Ubuntu: apt-get install ${requires.join(' ')}`

function imageOf(task: TaskFolder, context: string): Dockerfile | null {
  const text = readTextInside(task.folder, `${context}/Dockerfile`, dockerfileBytesMax)
  return text === null ? null : parseDockerfile(text)
}

async function baseOf(
  task: TaskFolder,
  image: Dockerfile | null,
  options: PrepareOptions & { readonly context: string },
) {
  const { context } = options
  const isMain = context === 'environment'
  const workdir = isMain ? task.task.environment.workdir : null
  const own = join(task.folder, context)
  if (image !== null) return placed(image, own, options, workdir)
  const files = (isMain ? task.environment === 'files' : hasFolder(task.folder, context)) ? { files: own } : {}
  return { workdir: workdir ?? workdirDefault, ...files, layers: [] }
}

async function placed(image: Dockerfile, context: string, options: PrepareOptions, asked: string | null = null) {
  const workdir = asked ?? (image.workdir === '/' ? workdirDefault : image.workdir)
  return { workdir, layers: await putInPlace(image.steps, { context, workdir, folder: options.folder }) }
}

const notesOf = (image: Dockerfile | null, file: string): readonly string[] =>
  (image?.notes ?? []).map(({ line, text }) => `${file}, line ${line}: ${text}`)

/** A task with metadata of ours was written to be played without its image. */
function imageNote({ environment, metadata }: HarborTask): readonly string[] {
  const { docker_image } = environment
  if (docker_image === null || metadata['agentpty'] !== undefined) return []
  return [`The image ${docker_image} is not used: the task runs on the programs of this machine.`]
}

function environmentNotes(environment: HarborTask['environment'], { allowNetwork }: PrepareOptions): readonly string[] {
  const { network_mode, memory_mb, mcp_servers } = environment
  const memoryMax = containerMemoryBytesDefault / 1_024 ** 2
  return [
    ...(network_mode === 'allowlist' && allowNetwork
      ? ['Its list of hosts is not held: it has the whole network.']
      : []),
    ...((memory_mb ?? 0) > memoryMax ? [`It asks for ${memory_mb} MB of memory and has ${memoryMax}.`] : []),
    ...(mcp_servers.length > 0 ? ['Its MCP servers are not started.'] : []),
  ]
}

function variablesOf(env: HarborTask['environment']['env'], host: PrepareOptions['hostVariables'], file: string) {
  const resolved = resolveVariables(env, host)
  if (resolved.outcome === 'resolved') return resolved.env
  const names = resolved.names.join(', ')
  throw invalidInput(
    `${file}: it asks for variables of this machine that it is not given: ${names}.`,
    `Set them and allow them: --host-env ${resolved.names.join(',')}; of an environment give them in the task’s hostEnv.`,
  )
}

function runsOf(image: Dockerfile | null, { allowRun }: PrepareOptions, file: string): readonly RunStep[] {
  const runs = (image?.steps ?? []).filter((step): step is RunStep => step.kind === 'run')
  if (runs.length === 0 || allowRun) return runs
  throw invalidInput(
    `${file}: its Dockerfile runs ${runs.length} command${runs.length === 1 ? '' : 's'} (first in line ${runs[0]?.line}).`,
    'Allow them, inside and without images: --allow-run, or {"allowRun":true} of an environment’s task. Whether the task is still the same is yours to judge.',
  )
}
