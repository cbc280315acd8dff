/** A task's folder, as Harbor lays it out, read as a whole: what is wrong with it is said before anything is started. */

import { basename, join } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { instructionBytesMax, settingsFileBytesMax } from '@agentpty/protocol/gym'
import { hasFile, hasFolder, readTextInside } from '../folder-files.ts'
import { malformed, parseAs } from '../malformed.ts'
import { readTomlText } from '../toml-text.ts'
import { HarborTask, type WrittenTask } from './harbor-task.ts'
import { withoutLegacyKeys } from './legacy-keys.ts'

export interface ReadTask {
  /** With every default. */
  readonly task: HarborTask
  /** As it stands in the file, but for keys of older schemas, which have become those that replaced them. */
  readonly written: WrittenTask
}

/** How the environment is made; `files` are put into the image that the task names. */
export type EnvironmentKind = 'dockerfile' | 'compose' | 'files' | 'none'

export interface ScriptParts {
  /** From the task's folder; null: there is none. */
  readonly test: string | null
  readonly solution: string | null
}

export interface StepFolder extends ScriptParts {
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
  // What the schema has accepted is what it takes.
  return { task: parseAs(HarborTask, value, file), written: value as WrittenTask }
}

/** Errors: `invalid_input`, `limit_reached`, `environment`. */
export function readTask(folder: string): TaskFolder {
  const file = join(folder, 'task.toml')
  const text = readTextInside(folder, 'task.toml', settingsFileBytesMax)
  if (text === null)
    throw new TermError(
      'invalid_input',
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
    throw new TermError(
      'invalid_input',
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
  throw new TermError('invalid_input', `${join(folder, path)} ${what}.`, 'Write into it what the agent is to do.')
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
