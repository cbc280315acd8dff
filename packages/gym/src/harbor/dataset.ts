/**
 * dataset.toml: tasks and files by what they hash to. A task's digest is that of the lines `path NUL digest LF` of its files in the order of
 * their paths, as Harbor publishes it, so both name the same task by the same digest.
 */

import { createHash } from 'node:crypto'
import { TermError } from '@agentpty/protocol'
import { folderBytesMax, settingsFileBytesMax } from '@agentpty/protocol/gym'
import { filesBelow, hasFile, readBytesInside, readTextInside } from '../folder-files.ts'
import { parseAs } from '../malformed.ts'
import { readTomlText, tomlText } from '../toml-text.ts'
import { DatasetManifest, type WrittenDataset } from './dataset-manifest.ts'
import { isIgnored, parseIgnoreRules } from './ignore-rules.ts'

/** Errors: `invalid_input`, `limit_reached`. */
export function readDatasetToml(text: string, file = 'dataset.toml'): DatasetManifest {
  return parseAs(DatasetManifest, readTomlText(text, file), file)
}

const keyOrder = ['schema_version', 'dataset', 'tasks', 'files']

/** Errors: `invalid_input` for what could not be read again. */
export function writeDatasetToml(written: WrittenDataset): string {
  parseAs(DatasetManifest, written, 'dataset.toml')
  const all: Readonly<Record<string, unknown>> = { schema_version: '1.0', ...written }
  const keys = [...keyOrder, ...Object.keys(all).filter((key) => !keyOrder.includes(key))]
  return tomlText(Object.fromEntries(keys.filter((key) => Object.hasOwn(all, key)).map((key) => [key, all[key]])))
}

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const publishedFiles = ['task.toml', 'instruction.md', 'README.md']
const publishedFolders = ['environment', 'tests', 'solution', 'steps']

/** Of a task's folder; what its .gitignore names does not count. Errors: `invalid_input`, `limit_reached`, `environment`. */
export function taskDigest(folder: string): string {
  const rules = parseIgnoreRules(readTextInside(folder, '.gitignore', settingsFileBytesMax))
  const files = [
    ...publishedFiles.filter((name) => hasFile(folder, name)),
    ...publishedFolders.flatMap((name) => filesBelow(folder, name)),
  ].filter((path) => !isIgnored(rules, path))
  let room = folderBytesMax
  const lines = files.toSorted(byCharacters).map((path) => {
    const bytes = readBytesInside(folder, path, room) ?? Buffer.alloc(0)
    room -= bytes.length
    return `${path}\0${createHash('sha256').update(bytes).digest('hex')}\n`
  })
  return digestOf(lines.join(''))
}

/** By the characters' numbers, as Python sorts. */
const byCharacters = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export interface DigestFault {
  /** Of a task or a file, as the manifest has it. */
  readonly name: string
  readonly expected: string
  /** Null: it is not there. */
  readonly found: string | null
}

/** `folderOf`: where the task of a name lies; null where it is not there. Files are found from `folder`. Errors: those of {@link taskDigest}. */
export function checkDataset(
  manifest: DatasetManifest,
  folder: string,
  folderOf: (name: string) => string | null,
): readonly DigestFault[] {
  const tasks = manifest.tasks.map(({ name, digest }): DigestFault => {
    const place = folderOf(name)
    return { name, expected: digest, found: place === null ? null : taskDigest(place) }
  })
  const files = manifest.files.map(({ path, digest }): DigestFault => {
    const bytes = readBytesInside(folder, path, folderBytesMax)
    return { name: path, expected: digest, found: bytes === null ? null : digestOf(bytes) }
  })
  return [...tasks, ...files].filter(({ expected, found }) => expected !== found)
}

export interface DatasetTask {
  readonly name: string
  readonly folder: string
}

/** The manifest of these tasks as they are now. Errors: those of {@link taskDigest}; `invalid_input` for a name that stands twice. */
export function datasetOf(about: WrittenDataset['dataset'], tasks: readonly DatasetTask[]): WrittenDataset {
  const [twice] = tasks.filter(({ name }, index) => tasks.findIndex((one) => one.name === name) !== index)
  if (twice !== undefined)
    throw new TermError(
      'invalid_input',
      `Two tasks are called ${twice.name}: one of them is ${twice.folder}.`,
      'Rename one of them.',
    )
  return {
    schema_version: '1.0',
    dataset: about,
    tasks: tasks.map(({ name, folder }) => ({ name, digest: taskDigest(folder) })),
  }
}
