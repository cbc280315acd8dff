/**
 * The part of a Dockerfile that can be followed without images. Files are put in place; variables, folder and user are set. Commands are kept
 * for callers that allow them to run. FROM is noted with a warning, because its image is missing. Instructions that only matter to a running
 * container are noted and left out. Everything else, including builds of several stages, is refused with its line: half a build would be a
 * wrong task.
 */

import { posix } from 'node:path'
import { pathProblem } from '../tree/resolve.ts'
import { type CopyStep, copySteps } from './dockerfile-copy.ts'
import {
  dockerfileLines,
  expandWord,
  type InstructionLine,
  jsonWords,
  refusedLine,
  splitWords,
  type Variables,
} from './dockerfile-lines.ts'

/** The folder and the user of an instruction. */
export interface BuildPlace {
  readonly workdir: string
  /** Null: the image's own. */
  readonly user: string | null
  readonly environment: Variables
}

export type RunStep = BuildPlace & {
  readonly kind: 'run'
  readonly line: number
  /** The words, with the shell in front for a shell's line. */
  readonly argv: readonly string[]
}

export type BuildStep = CopyStep | RunStep | { readonly kind: 'workdir'; readonly line: number; readonly path: string }

export interface BuildNote {
  readonly line: number
  readonly level: 'warning' | 'note'
  readonly text: string
}

export interface Dockerfile extends BuildPlace {
  /** The image that FROM names. It is neither fetched nor built. */
  readonly image: string
  readonly steps: readonly BuildStep[]
  readonly notes: readonly BuildNote[]
}

export interface DockerfileOptions {
  /** Values that replace defaults of ARG. */
  readonly buildArguments?: Variables
}

/** Errors: `invalid_input`, with the line; `limit_reached`. */
export function parseDockerfile(text: string, { buildArguments = {} }: DockerfileOptions = {}): Dockerfile {
  const lines = dockerfileLines(text)
  const build = lines.reduce((state, line) => follow(state, line), beginning(buildArguments))
  if (build.image === null)
    throw refusedLine(1, 'there is no FROM', 'Begin with FROM and the image that the task names.')
  const { image, workdir, user, environment, steps, notes } = build
  return { image, workdir, user, environment, steps, notes }
}

interface Build extends BuildPlace {
  readonly given: Variables
  /** ARGs before FROM, which count in FROM alone until they are named again. */
  readonly globals: Variables
  readonly arguments: Variables
  readonly shell: readonly string[]
  readonly image: string | null
  readonly steps: readonly BuildStep[]
  readonly notes: readonly BuildNote[]
}

const beginning = (given: Variables): Build => ({
  given,
  globals: {},
  arguments: {},
  shell: ['/bin/sh', '-c'],
  image: null,
  workdir: '/',
  user: null,
  environment: {},
  steps: [],
  notes: [],
})

type Follow = (build: Build, line: InstructionLine) => Build

const instructions: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['FROM', from],
  ['ARG', argument],
  ['ENV', variable],
  ['WORKDIR', workdir],
  ['USER', user],
  ['SHELL', shell],
  ['RUN', run],
  ['COPY', copy],
  ['ADD', copy],
])

/** Instructions that only matter to a started or published container. */
const leftOut: ReadonlyMap<string, string> = new Map([
  ['LABEL', 'is for registries'],
  ['EXPOSE', 'opens no port by itself'],
  ['CMD', 'is not started: the task has a terminal'],
  ['ENTRYPOINT', 'is not started: the task has a terminal'],
  ['HEALTHCHECK', 'is not watched; task.toml may have one'],
  ['STOPSIGNAL', 'is not used: everything is killed'],
  ['VOLUME', 'is no place of its own'],
])

function follow(build: Build, line: InstructionLine): Build {
  if (build.image === null && line.word !== 'FROM' && line.word !== 'ARG')
    throw refusedLine(
      line.line,
      `${line.word} stands before FROM`,
      'Begin with FROM and the image that the task names.',
    )
  const reason = leftOut.get(line.word)
  if (reason !== undefined)
    return noted(build, line, { level: 'note', text: `${line.word} is left out: it ${reason}.` })
  const read = instructions.get(line.word)
  if (read !== undefined) return read(build, line)
  const known = [...instructions.keys(), ...leftOut.keys()].join(', ')
  throw refusedLine(line.line, `${line.word} is not supported`, `Without images these can be followed: ${known}.`)
}

const noted = (build: Build, { line }: InstructionLine, note: Omit<BuildNote, 'line'>): Build => ({
  ...build,
  notes: [...build.notes, { line, ...note }],
})

const expandingAt = (build: Build, { line }: InstructionLine) => ({
  variables: { ...build.arguments, ...build.environment },
  line,
})

function from(build: Build, line: InstructionLine): Build {
  if (build.image !== null)
    throw refusedLine(
      line.line,
      'a second FROM: builds of several stages are not supported',
      'Put what the other stages make into environment/, and COPY it.',
    )
  const words = splitWords(line.rest).map((word) => expandWord(word, { variables: build.globals, line: line.line }))
  const [image, ...rest] = words.filter((word) => !word.startsWith('--platform='))
  const isAlone = rest.length === 0 || (rest.length === 2 && rest[0]?.toUpperCase() === 'AS')
  if (image === undefined || image === '' || image.startsWith('--') || !isAlone)
    throw refusedLine(line.line, `FROM ${line.rest} cannot be read`, 'Write FROM IMAGE.')
  const text = `The image ${image} is not used: the task runs on the programs of this machine, and may behave otherwise.`
  return noted({ ...build, image, arguments: {} }, line, { level: 'warning', text })
}

function argument(build: Build, line: InstructionLine): Build {
  const isGlobal = build.image === null
  const known = isGlobal ? build.globals : build.arguments
  const added = splitWords(line.rest).map((word): [string, string] | null => {
    const [, name, , otherwise] = /^([A-Za-z_]\w*)(=([\s\S]*))?$/.exec(word) ?? []
    if (name === undefined) throw refusedLine(line.line, `ARG ${word} cannot be read`, 'Write ARG NAME=otherwise.')
    const value =
      otherwise === undefined
        ? undefined
        : expandWord(otherwise, { ...expandingAt(build, line), variables: { ...known, ...build.environment } })
    const inherited = isGlobal ? undefined : ownValue(build.globals, name)
    const counts = ownValue(build.given, name) ?? value ?? inherited
    return counts === undefined ? null : [name, counts]
  })
  const all = { ...known, ...Object.fromEntries(added.filter((one) => one !== null)) }
  return isGlobal ? { ...build, globals: all } : { ...build, arguments: all }
}

const ownValue = (variables: Variables, name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined)

/** `ENV A=1 B="2 3"`, or `ENV A all of the rest`. */
function variable(build: Build, line: InstructionLine): Build {
  const expanding = expandingAt(build, line)
  const words = splitWords(line.rest)
  const pairs = words.map((word) => /^([A-Za-z_][\w.-]*)=([\s\S]*)$/.exec(word))
  const [, name, rest] = /^([A-Za-z_][\w.-]*)\s+([\s\S]+)$/.exec(line.rest) ?? []
  const isList = pairs.length > 0 && pairs.every((pair) => pair !== null)
  if (!isList && (name === undefined || rest === undefined || words[0]?.includes('=')))
    throw refusedLine(line.line, `ENV ${line.rest} cannot be read`, 'Write ENV NAME=value, with quotes around blanks.')
  const written = isList
    ? pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''] as const)
    : [[name ?? '', rest ?? ''] as const]
  // All of one line see what was set before the line.
  const added = Object.fromEntries(written.map(([key, value]) => [key, expandWord(value, expanding)]))
  return { ...build, environment: { ...build.environment, ...added } }
}

function workdir(build: Build, line: InstructionLine): Build {
  const path = posix.resolve(build.workdir, expandWord(line.rest, expandingAt(build, line)))
  if (line.rest === '') throw refusedLine(line.line, 'WORKDIR names no folder', 'Write WORKDIR /folder.')
  return { ...build, workdir: path, steps: [...build.steps, { kind: 'workdir', line: line.line, path }] }
}

function user(build: Build, line: InstructionLine): Build {
  const name = expandWord(line.rest, expandingAt(build, line))
  if (!/^[\w.-]+(?::[\w.-]+)?$/.test(name))
    throw refusedLine(line.line, `USER ${line.rest} cannot be read`, 'Write USER NAME or USER NAME:GROUP.')
  return { ...build, user: name }
}

function shell(build: Build, line: InstructionLine): Build {
  const words = jsonWords(line.rest)
  if (words === null || words.length === 0)
    throw refusedLine(line.line, 'SHELL is no list', 'Write SHELL ["/bin/bash", "-c"].')
  return { ...build, shell: words }
}

function run(build: Build, line: InstructionLine): Build {
  const [flag] = /^--\w[\w-]*(?==|\s)/.exec(line.rest) ?? []
  if (flag !== undefined) throw refusedLine(line.line, `RUN ${flag} is not supported`, 'Write the command without it.')
  if (line.rest === '') throw refusedLine(line.line, 'RUN names no command', 'Write a command after it.')
  const [script] = /^<<-?["']?[\w.]+["']?$/.test(line.rest) ? line.hereDocuments : []
  const argv = jsonWords(line.rest) ?? [...build.shell, script?.content ?? line.shellText]
  const { workdir: at, user: who, environment } = build
  const step: RunStep = {
    kind: 'run',
    line: line.line,
    argv,
    workdir: at,
    user: who,
    // A variable hides an argument of the same name.
    environment: { ...build.arguments, ...environment },
  }
  return { ...build, steps: [...build.steps, step] }
}

function copy(build: Build, line: InstructionLine): Build {
  const steps = copySteps(line, { workdir: build.workdir, ...expandingAt(build, line) })
  const lost = steps
    .flatMap(({ source }) => (source.kind === 'path' ? [source.path] : []))
    .find((path) => pathProblem(path) !== null)
  if (lost !== undefined)
    throw refusedLine(line.line, `${line.word} ${lost} ${pathProblem(lost)}`, 'Put the file into environment/.')
  return { ...build, steps: [...build.steps, ...steps] }
}
