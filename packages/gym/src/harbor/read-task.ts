/** A task's folder, as Harbor lays it out, read as a whole: what is wrong with it is said before anything is started. */

import { basename, join } from 'node:path'
import { invalidInput } from '@agentpty/protocol'
import { instructionBytesMax, settingsFileBytesMax } from '@agentpty/protocol/gym'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { hasFile, hasFolder, readTextInside } from '../folder-files.ts'
import { type Fault, type KeyPath, malformed, parseAs } from '../json-text.ts'
import { readTomlText } from '../toml-text.ts'
import { HarborTask, type WrittenTask } from './harbor-task.ts'

interface ReadTask {
  /** The task with every default. */
  readonly task: HarborTask
  /** The content of the file, with keys of older schemas replaced by the current ones. */
  readonly written: WrittenTask
}

/** The source of the environment; `files` are put into the image that the task names. */
type EnvironmentKind = 'dockerfile' | 'compose' | 'files' | 'none'

interface ScriptParts {
  /** The path from the task's folder; null: there is none. */
  readonly test: string | null
  readonly solution: string | null
}

interface StepFolder extends ScriptParts {
  readonly name: string
  readonly instruction: string
  /** Copied into the working folder before the step begins. */
  readonly workdir: string | null
  /** Run in it then. */
  readonly setup: string | null
}

export interface TaskFolder extends ReadTask, ScriptParts {
  readonly folder: string
  /** `org/name`, or the folder's where the task has none. */
  readonly name: string
  /** Null for a task of several steps, which have their own. */
  readonly instruction: string | null
  readonly environment: EnvironmentKind
  /** Tests run in an image of their own, which this Dockerfile makes. */
  readonly verifierDockerfile: string | null
  readonly steps: readonly StepFolder[]
}

/** `file`: its name, for errors. Errors: `invalid_input`, `limit_reached`. */
export function readTaskToml(text: string, file = 'task.toml'): ReadTask {
  const { value, faults } = withoutLegacyKeys(readTomlText(text, file))
  const [fault] = faults
  if (fault !== undefined) throw malformed(file, fault, 'Write the newer key alone.')
  // The schema accepted this value, so the type holds.
  return { task: parseAs(HarborTask, value, file), written: value as WrittenTask }
}

/** Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readTask(folder: string): TaskFolder {
  const file = join(folder, 'task.toml')
  const text = readTextInside(folder, 'task.toml', settingsFileBytesMax)
  if (text === null)
    throw invalidInput(
      `${file} is missing.`,
      'Name the folder of a Harbor task; those of terminal-bench 1 have task.yaml, and are imported first.',
    )
  const read = readTaskToml(text, file)
  const { task } = read
  const steps = task.steps.map(({ name }) => readStep(folder, name))
  return {
    ...read,
    ...scriptsIn(folder, ''),
    folder,
    name: task.task?.name ?? basename(folder),
    instruction: steps.length > 0 ? null : readInstruction(folder, 'instruction.md'),
    environment: environmentKind(folder, task.environment.docker_image),
    verifierDockerfile: fileOrNull(folder, 'tests/Dockerfile'),
    steps,
  }
}

function readStep(folder: string, name: string): StepFolder {
  const step = `steps/${name}`
  if (!hasFolder(folder, step))
    throw invalidInput(
      `${join(folder, 'task.toml')}: steps: there is no folder ${step}/.`,
      `Make ${step}/instruction.md, or correct the name of the step.`,
    )
  const workdir = `${step}/workdir`
  return {
    ...scriptsIn(folder, `${step}/`),
    name,
    instruction: readInstruction(folder, `${step}/instruction.md`),
    workdir: hasFolder(folder, workdir) ? workdir : null,
    setup: fileOrNull(folder, `${workdir}/setup.sh`),
  }
}

function readInstruction(folder: string, path: string): string {
  const text = readTextInside(folder, path, instructionBytesMax)
  if (text !== null && text.trim() !== '') return text
  const what = text === null ? 'is missing' : 'is empty'
  throw invalidInput(`${join(folder, path)} ${what}.`, 'Write into it what the agent is to do.')
}

const fileOrNull = (folder: string, path: string) => (hasFile(folder, path) ? path : null)

function scriptsIn(folder: string, below: string): ScriptParts {
  const script = (name: string) => fileOrNull(folder, `${below}${name}.sh`) ?? fileOrNull(folder, `${below}${name}.bat`)
  return { test: script('tests/test'), solution: script('solution/solve') }
}

function environmentKind(folder: string, image: string | null): EnvironmentKind {
  // Where both are, the compose file builds from the Dockerfile.
  if (hasFile(folder, 'environment/docker-compose.yaml')) return 'compose'
  if (hasFile(folder, 'environment/Dockerfile')) return 'dockerfile'
  return image !== null && hasFolder(folder, 'environment') ? 'files' : 'none'
}

// Keys of older task.toml files: read as what replaced them and never written back. A new key with another value is a fault.

interface Rule {
  readonly old: string
  readonly now: string
  /** Returns the meaning of the old value, or a text that says what is wrong with it. */
  readonly read: (value: unknown) => { readonly value: unknown } | string
  readonly agrees?: (read: unknown, now: unknown) => boolean
}

const mebibytes: Readonly<Record<string, number>> = { K: 1 / 1_024, M: 1, G: 1_024 }

function readSize(value: unknown): { readonly value: number } | string {
  const [, amount, unit = ''] =
    /^(\d{1,9}(?:\.\d{1,3})?)\s*([KMG])B?$/i.exec(typeof value === 'string' ? value : '') ?? []
  const factor = mebibytes[unit.toUpperCase()]
  if (amount === undefined || factor === undefined) return 'must be a number with K, M or G behind it, as "2G"'
  return { value: Math.ceil(Number(amount) * factor) }
}

const environmentRules: readonly Rule[] = [
  { old: 'memory', now: 'memory_mb', read: readSize },
  { old: 'storage', now: 'storage_mb', read: readSize },
  {
    old: 'allow_internet',
    now: 'network_mode',
    read: (value) =>
      typeof value === 'boolean' ? { value: value ? 'public' : 'no-network' } : 'must be true or false',
    // A list of hosts is a way to have the internet.
    agrees: (read, now) => read === now || (read === 'public' && now === 'allowlist'),
  },
]

const rootRules: readonly Rule[] = [
  {
    old: 'version',
    now: 'schema_version',
    read: (value) => (typeof value === 'string' ? { value } : 'must be a text, as "1.0"'),
  },
]

/** `raw`: what the file says. Values of an unexpected shape stay unchanged. */
function withoutLegacyKeys(raw: JsonObject) {
  const faults: Fault[] = []
  const environment = (value: unknown, path: KeyPath) => replaced(value, { rules: environmentRules, path, faults })
  const verifier = (value: unknown, path: KeyPath) => within(value, 'environment', path, environment)
  const step = (value: unknown, path: KeyPath) => within(value, 'verifier', path, verifier)
  const steps = (value: unknown, path: KeyPath) =>
    Array.isArray(value) ? value.map((item: unknown, index) => step(item, [...path, index])) : value
  const root = replaced(raw, { rules: rootRules, path: [], faults })
  const places: readonly (readonly [string, Change])[] = [
    ['environment', environment],
    ['verifier', verifier],
    ['steps', steps],
  ]
  const value = places.reduce<unknown>((all, [key, change]) => within(all, key, [], change), root)
  return { value: isObject(value) ? value : raw, faults }
}

type Change = (value: unknown, path: KeyPath) => unknown

/** The object with what is at `key` changed; keys stay in their order. */
function within(value: unknown, key: string, path: KeyPath, change: Change): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: change(value[key], [...path, key]) }
}

interface Replacing {
  readonly rules: readonly Rule[]
  readonly path: KeyPath
  readonly faults: Fault[]
}

function replaced(value: unknown, { rules, path, faults }: Replacing): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, old]): [string, unknown][] => {
    const rule = rules.find((one) => one.old === key)
    if (rule === undefined) return [[key, old]]
    const read = rule.read(old)
    if (typeof read === 'string') {
      faults.push({ path: [...path, key], message: read })
      return []
    }
    if (!Object.hasOwn(value, rule.now)) return [[rule.now, read.value]]
    const { agrees = Object.is } = rule
    if (!agrees(read.value, value[rule.now]))
      faults.push({
        path: [...path, key],
        message: `says something else than ${rule.now} beside it; leave one of them out`,
      })
    return []
  })
  return Object.fromEntries(entries)
}
