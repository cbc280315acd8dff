/**
 * A task's folder as an environment: what of it lies where inside, which program is on the terminal, and what cannot be as the task wants it.
 *
 * There are no images here. What of a Dockerfile only puts files in place is followed; what would make another task of it is refused.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../../../contracts/defined.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { EnvironmentInput } from '../../../contracts/gym/environment.ts'
import { containerMemoryBytesDefault, dockerfileBytesMax } from '../../../contracts/gym/gym-limits.ts'
import type { HarborTask } from '../../../contracts/gym/harbor-task.ts'
import { OwnMetadata } from '../../../contracts/gym/own-metadata.ts'
import { readTextInside } from '../folder-files.ts'
import { type Dockerfile, parseDockerfile, type RunStep } from '../harbor/dockerfile.ts'
import { resolveVariables } from '../harbor/host-variables.ts'
import type { TaskFolder } from '../harbor/read-task.ts'
import { insideVariables } from '../inside.ts'
import { parseAs } from '../malformed.ts'
import { putInPlace } from './put-in-place.ts'

export interface PrepareOptions {
  /** For copies of files; removed by whoever has made it. */
  readonly folder: string
  readonly allowRun: boolean
  readonly allowNetwork: boolean
  readonly hostVariables: Readonly<Record<string, string>>
}

export interface PreparedTask {
  readonly task: TaskFolder
  readonly own: OwnMetadata
  readonly spec: EnvironmentInput & { readonly workdir: string }
  /** Of its Dockerfile, to be run inside before anybody plays. */
  readonly runs: readonly RunStep[]
  /** What is not as the task says, for a person. */
  readonly notes: readonly string[]
}

const workdirDefault = '/app'
/** Where programs are found inside, which are those of this machine. */
const insideFolders = (insideVariables('/', null, {})['PATH'] ?? '').split(':')

/** Errors: `invalid_input` for what cannot be done here, with the next move. */
export async function prepareTask(task: TaskFolder, options: PrepareOptions): Promise<PreparedTask> {
  const { metadata, environment } = task.task
  const file = join(task.folder, 'task.toml')
  const own = parseAs(OwnMetadata, metadata['agentpty'] ?? {}, `${file}: metadata.agentpty`)
  refuseWhatIsMissing(task, own)
  const image = imageOf(task, 'environment')
  const base = await baseOf(task, image, options)
  const notes = [...notesOf(image), ...environmentNotes(environment, options)]
  const spec = {
    ...base,
    ...defined({ program: own.program, terminals: own.terminals, rows: own.rows, cols: own.cols }),
    ...defined({
      clock: own.clock,
      observation: own.observation,
      stepTimeoutMs: own.stepTimeoutMs,
      maxEpisodeSteps: own.maxEpisodeSteps,
    }),
    env: { ...image?.environment, ...variablesOf(environment.env, options.hostVariables, file) },
    network: wantsNetwork(environment) && options.allowNetwork ? ('on' as const) : ('off' as const),
  } as EnvironmentInput & { readonly workdir: string }
  return { task, own, spec, runs: runsOf(image, options, file), notes }
}

/** What a verifier of its own runs in: its Dockerfile beside the tests, or the task's environment, without its program. */
export async function prepareVerifier(task: TaskFolder, options: PrepareOptions): Promise<EnvironmentInput> {
  const image = imageOf(task, task.verifierDockerfile === null ? 'environment' : 'tests')
  const base =
    task.verifierDockerfile === null
      ? await baseOf(task, image, options)
      : await placed(image, join(task.folder, 'tests'), options)
  return {
    ...base,
    layers: [...base.layers],
    env: { ...image?.environment },
    program: ['sleep', 'infinity'],
    // Nobody waits for it to be ready.
    stepTimeoutMs: 0,
    network: 'off',
  }
}

function refuseWhatIsMissing({ folder, environment, task }: TaskFolder, own: OwnMetadata): void {
  const refuse = (what: string, hint: string) => {
    throw new TermError('invalid_input', `${folder}: ${what}.`, hint)
  }
  if (environment === 'compose')
    refuse('it needs several containers (docker-compose.yaml)', 'Play it with Harbor and Docker.')
  const { os, gpus, tpu } = task.environment
  if (os === 'windows') refuse('it is a task for Windows', 'Play it with Harbor on Windows.')
  if ((gpus ?? 0) > 0 || tpu !== null) refuse('it needs a GPU or a TPU', 'Play it with Harbor where there is one.')
  const missing = own.commands.filter((name) => !insideFolders.some((at) => existsSync(join(at, name))))
  if (missing.length > 0)
    refuse(
      `it needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not on this machine`,
      installHint(own),
    )
}

const installHint = ({ requires }: OwnMetadata): string =>
  requires.length === 0 ? 'Install it.' : `On Debian and Ubuntu: apt-get install ${requires.join(' ')}`

function imageOf(task: TaskFolder, below: 'environment' | 'tests'): Dockerfile | null {
  const path = below === 'tests' ? 'tests/Dockerfile' : 'environment/Dockerfile'
  const text = readTextInside(task.folder, path, dockerfileBytesMax)
  return text === null ? null : parseDockerfile(text)
}

async function baseOf(task: TaskFolder, image: Dockerfile | null, options: PrepareOptions) {
  const { workdir } = task.task.environment
  const own = join(task.folder, 'environment')
  if (image !== null) return placed(image, own, options, workdir)
  const files = task.environment === 'files' ? { files: own } : {}
  return { workdir: workdir ?? workdirDefault, ...files, layers: [] }
}

async function placed(image: Dockerfile | null, context: string, options: PrepareOptions, asked: string | null = null) {
  const said = image?.workdir ?? '/'
  const workdir = asked ?? (said === '/' ? workdirDefault : said)
  return {
    workdir,
    layers: image === null ? [] : await putInPlace(image.steps, { context, workdir, folder: options.folder }),
  }
}

const notesOf = (image: Dockerfile | null): readonly string[] =>
  (image?.notes ?? []).map(({ line, text }) => `Dockerfile, line ${line}: ${text}`)

const wantsNetwork = ({ network_mode }: HarborTask['environment']): boolean => network_mode !== 'no-network'

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
  throw new TermError(
    'invalid_input',
    `${file}: it asks for variables of this machine that it is not given: ${names}.`,
    `Set them and allow them: --host-env ${resolved.names.join(',')}; of an environment give them in the task’s hostEnv.`,
  )
}

function runsOf(image: Dockerfile | null, { allowRun }: PrepareOptions, file: string): readonly RunStep[] {
  const runs = (image?.steps ?? []).filter((step): step is RunStep => step.kind === 'run')
  if (runs.length === 0 || allowRun) return runs
  throw new TermError(
    'invalid_input',
    `${file}: its Dockerfile runs ${runs.length} command${runs.length === 1 ? '' : 's'} (first in line ${runs[0]?.line}).`,
    'Allow them, inside and without images: --allow-run, or {"allowRun":true} of an environment’s task. Whether the task is still the same is yours to judge.',
  )
}
