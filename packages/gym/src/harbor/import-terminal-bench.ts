/**
 * Converts a task of terminal-bench 1 to one of Harbor, as Harbor's own conversion does. The instruction becomes a file, and the rest of
 * task.yaml becomes `[metadata]`. Time limits move to their tables. Tests that pass write the reward.
 *
 * A solution of keystrokes (solution.yaml) becomes `solution/keystrokes.json`, next to the path of solve.sh. It is not a part of
 * `[metadata]`, because task.toml is shown and listed, while only the oracle gets the folder of the solution.
 */

import { basename, join } from 'node:path'
import { invalidInput } from '@agentpty/protocol'
import { instructionBytesMax, nestingMax, settingsFileBytesMax } from '@agentpty/protocol/gym'
import { plainYaml, readYaml } from '@agentpty/protocol/home'
import { filesBelow, hasFile, isExecutable, readBytesInside, readTextInside } from '../folder-files.ts'
import { malformed, parseAs, shapeFault } from '../json-text.ts'
import { jsonFileText, writeWhole } from '../whole-file.ts'
import type { WrittenTask } from './harbor-task.ts'
import { type ImportedCompose, importCompose } from './import-compose.ts'
import { KeystrokeCommands, keystrokesPlace, TerminalBenchTask, writeTaskToml } from './terminal-bench-task.ts'

interface ImportedFile {
  /** The path below the new folder. */
  readonly path: string
  readonly content: string | Uint8Array
  readonly isExecutable: boolean
}

export interface ImportedTask {
  readonly written: WrittenTask
  readonly files: readonly ImportedFile[]
  /** Notes for a person about parts that were not kept. */
  readonly notes: readonly string[]
}

interface ImportOptions {
  /** Before the slash of the task's new name. */
  readonly organization?: string
}

/** Files with a path of their own in the new folder. The image is built from all others. */
const notOfEnvironment =
  /^(?:task\.yaml|docker-compose\.ya?ml|solution\.(?:sh|ya?ml)|run-tests\.sh|README\.md|instruction\.md|tests\/.*|\.git\/.*)$/

/** Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function importTerminalBench(
  folder: string,
  { organization = 'terminal-bench' }: ImportOptions = {},
): ImportedTask {
  const task = readTaskYaml(folder)
  const compose = composeOf(folder)
  const solution = solutionOf(folder)
  const { instruction } = task
  const notes = [...compose.notes, ...solution.notes]
  if (task.run_tests_in_same_shell) notes.push('Tests ran in the agent’s shell; now they have one of their own.')
  const files = [
    text('instruction.md', `${withoutCanary(instruction).trimEnd()}\n`),
    ...testFiles(folder),
    ...solution.files,
    ...environmentFiles(folder, compose),
  ]
  return { written: writtenTask(task, `${organization}/${nameOf(folder)}`), files, notes }
}

/** Errors: `machine_unfit`; `invalid_input` where there is a task already. */
export function writeImportedTask({ written, files }: ImportedTask, folder: string): void {
  if (hasFile(folder, 'task.toml'))
    throw invalidInput(`${folder} has a task.toml already.`, 'Name another folder, or remove it.')
  for (const { path, content, isExecutable } of files)
    writeWhole(join(folder, path), content, { mode: isExecutable ? 0o755 : 0o644 })
  // Last: a folder with task.toml is whole.
  writeWhole(join(folder, 'task.toml'), writeTaskToml(written))
}

const nameOf = (folder: string): string => basename(folder).replaceAll(/[^\w.-]|^\.+|\.(?=\.)/g, '-')

function readTaskYaml(folder: string): TerminalBenchTask {
  const file = join(folder, 'task.yaml')
  return parseAs(TerminalBenchTask, yamlOf(folder, 'task.yaml') ?? missing(file), file)
}

function missing(file: string): never {
  throw invalidInput(`${file} is missing.`, 'Name the folder of a task of terminal-bench 1.')
}

/** Null for a file that is not there. */
function yamlOf(folder: string, path: string): unknown {
  const yaml = readTextInside(folder, path, settingsFileBytesMax)
  if (yaml === null) return null
  const read = readYaml(yaml)
  if ('value' in read) return checkedShape(plainYaml(read.value), join(folder, path))
  const { what, line } = read.fault
  throw malformed(join(folder, path), { path: [], message: `line ${line}: ${what}` }, 'Mend that line.')
}

function checkedShape(value: unknown, file: string): unknown {
  const fault = shapeFault(value, nestingMax)
  if (fault === null) return value
  throw malformed(file, { path: [], message: fault }, 'Leave that part out.')
}

function writtenTask(task: TerminalBenchTask, name: string): WrittenTask {
  const { instruction: _instruction, max_agent_timeout_sec, max_test_timeout_sec, ...rest } = task
  const metadata = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined))
  return {
    schema_version: '1.3',
    task: { name },
    metadata,
    verifier: { timeout_sec: max_test_timeout_sec },
    agent: { timeout_sec: max_agent_timeout_sec },
  }
}

const text = (path: string, content: string): ImportedFile => ({ path, content, isExecutable: path.endsWith('.sh') })

/** The script stays a file of its own: what it ends with may be `exit`, and nothing behind that would run. */
const testScript = (scriptName: string): string => `#!/bin/bash
export TEST_DIR="\${TEST_DIR:-/tests}"
mkdir -p /logs/verifier
if bash "$(dirname "$0")/${scriptName}"; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
`

function testFiles(folder: string): readonly ImportedFile[] {
  const script = readTextInside(folder, 'run-tests.sh', instructionBytesMax)
  if (script === null)
    throw invalidInput(`${join(folder, 'run-tests.sh')} is missing.`, 'Without tests there is no reward; write it.')
  const others = filesBelow(folder, 'tests').map((path) => bytesOf(folder, path, path))
  const taken = others.find(({ path }) => path === 'tests/test.sh')
  if (taken !== undefined)
    throw invalidInput(`${join(folder, taken.path)} stands where the new script goes.`, 'Rename it.')
  const names = new Set(others.map(({ path }) => path))
  const scriptName = names.has('tests/run-tests.sh') ? freeName(names) : 'run-tests.sh'
  const scripts = [text('tests/test.sh', testScript(scriptName)), text(`tests/${scriptName}`, withoutCanary(script))]
  return [...scripts, ...others]
}

/** The tests have a script of that name of their own. */
function freeName(taken: ReadonlySet<string>): string {
  let number = 1
  while (taken.has(`tests/run-tests-${number}.sh`)) number++
  return `run-tests-${number}.sh`
}

function solutionOf(folder: string) {
  const script = readTextInside(folder, 'solution.sh', instructionBytesMax)
  if (script !== null) return { files: [text('solution/solve.sh', withoutCanary(script))], notes: [] }
  const yaml = yamlOf(folder, 'solution.yaml')
  if (yaml === null) return { files: [], notes: ['There is no solution, so nothing proves that the task can be done.'] }
  const commands = parseAs(KeystrokeCommands, yaml, join(folder, 'solution.yaml'))
  const notes = [`The solution is keystrokes: ${keystrokesPlace}. Oracles that run solve.sh find none.`]
  return { files: [text(keystrokesPlace, jsonFileText(commands))], notes }
}

function composeOf(folder: string): ImportedCompose {
  const found = ['docker-compose.yaml', 'docker-compose.yml'].find((name) => hasFile(folder, name))
  return found === undefined
    ? { kind: 'image', lines: [], notes: [] }
    : importCompose(yamlOf(folder, found), join(folder, found))
}

function environmentFiles(folder: string, compose: ImportedCompose): readonly ImportedFile[] {
  const copiedNames = copiedBy(readTextInside(folder, 'Dockerfile', instructionBytesMax) ?? '')
  const isCopied = (path: string) => copiedNames.some((name) => path === name || path.startsWith(`${name}/`))
  const others = filesBelow(folder, '.').filter((path) => !notOfEnvironment.test(path) || isCopied(path))
  const copied = others.map((path) => {
    const added = path === 'Dockerfile' && compose.kind === 'image' ? compose.lines : null
    if (path !== 'Dockerfile') return bytesOf(folder, path, `environment/${path}`)
    const source = readTextInside(folder, path, instructionBytesMax) ?? ''
    const lines = added === null || added.length === 0 ? '' : `${added.join('\n')}\n`
    return text('environment/Dockerfile', `${withoutCanary(source).trimEnd()}\n${lines}`)
  })
  return compose.kind === 'image' ? copied : [...copied, text('environment/docker-compose.yaml', compose.file)]
}

/** Returns the files that a Dockerfile copies by name. The old build context was the task's whole folder, its tests included. */
function copiedBy(dockerfile: string): readonly string[] {
  const lines = dockerfile.split('\n').filter((line) => /^\s*(?:COPY|ADD)\s/i.test(line))
  return lines
    .flatMap((line) =>
      line
        .trim()
        .split(/[\s",[\]]+/)
        .slice(1, -1),
    )
    .map((word) => word.replace(/^\.\//, '').replace(/\/$/, ''))
    .filter((word) => word !== '' && word !== '.')
}

function bytesOf(folder: string, path: string, target: string): ImportedFile {
  const content = readBytesInside(folder, path, environmentFileBytesMax)
  return { path: target, content: content ?? new Uint8Array(), isExecutable: isExecutable(folder, path) }
}

/** All files of a task are in memory until they are written. */
const environmentFileBytesMax = 256 * 1_024 * 1_024

/** Removes leading comments with a canary: an identifier that finds leaked tasks in training data, of no use to an agent. */
export function withoutCanary(text: string): string {
  const lines = text.split('\n')
  // Comments end where something else begins; a script's first line is one, too, and stays.
  const other = lines.findIndex((line) => !isComment(line) && line.trim() !== '')
  const end = other < 0 ? lines.length : other
  const head = lines.slice(0, end).filter((line) => !(isComment(line) && /canary/i.test(line)))
  return [...head, ...lines.slice(end)].join('\n')
}

const isComment = (line: string): boolean => /^\s*(?:#|\/\/|<!--|--|;)/.test(line)
