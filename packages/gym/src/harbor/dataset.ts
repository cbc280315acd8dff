/** dataset.toml: tasks and files by hashes. A task's digest covers its files' lines `path NUL digest LF` by path, as Harbor's does. */

import { createHash } from 'node:crypto'
import { invalidInput, limitReached } from '@agentpty/protocol'
import {
  type DeepReadonly,
  folderBytesMax,
  PackageName,
  Person,
  settingsFileBytesMax,
  Texts,
} from '@agentpty/protocol/gym'
import * as z from 'zod'
import { filesBelow, hasFile, readBytesInside, readTextInside } from '../folder-files.ts'
import { parseAs } from '../json-text.ts'
import { Digest } from '../run/job-config.ts'
import { readTomlText, tomlText } from '../toml-text.ts'
import { globParts, matchesName, type NamePattern } from './host-variables.ts'

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

/** Returns the digest of a task's folder, without the files that its .gitignore names. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
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

/** Compares by code points, as Python sorts. */
const byCharacters = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

interface DigestFault {
  readonly name: string
  readonly expected: string
  /** Null: it is not there. */
  readonly found: string | null
}

/** `folderOf`: the folder of a named task; null where there is none. Files are found from `folder`. Errors: those of {@link taskDigest}. */
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

interface DatasetTask {
  readonly name: string
  readonly folder: string
}

/** Returns the current manifest of these tasks. Errors: those of {@link taskDigest}; `invalid_input` for a name that occurs twice. */
export function datasetOf(about: WrittenDataset['dataset'], tasks: readonly DatasetTask[]): WrittenDataset {
  const [twice] = tasks.filter(({ name }, index) => tasks.findIndex((one) => one.name === name) !== index)
  if (twice !== undefined)
    throw invalidInput(`Two tasks are called ${twice.name}: one of them is ${twice.folder}.`, 'Rename one of them.')
  return {
    schema_version: '1.0',
    dataset: about,
    tasks: tasks.map(({ name, folder }) => ({ name, digest: taskDigest(folder) })),
  }
}

// dataset.toml of Harbor: tasks and files with what they hash to. Other tables are kept.

const DatasetManifest = z.looseObject({
  schema_version: z.string().default('1.0'),
  dataset: z.looseObject({
    name: PackageName,
    description: z.string().default(''),
    authors: z.array(Person).default([]),
    keywords: Texts.default([]),
  }),
  tasks: z.array(z.looseObject({ name: PackageName, digest: Digest })).default([]),
  files: z.array(z.looseObject({ path: z.string().min(1), digest: Digest })).default([]),
})
type DatasetManifest = DeepReadonly<z.output<typeof DatasetManifest>>
type WrittenDataset = DeepReadonly<z.input<typeof DatasetManifest>>

// Files of a task that do not belong to it, by the rules of .gitignore; without one, files that editors and Python leave.

interface IgnoreRule {
  /** Patterns of a path from the folder, part by part; null matches any number of parts. */
  readonly parts: readonly (NamePattern | null)[]
  /** Only folders, with what is in them. */
  readonly isFolder: boolean
  /** Takes out what an earlier rule has named. */
  readonly isExcepted: boolean
}

const left = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~']
const rulesMax = 2_000
const ruleCharactersMax = 500

/** `text`: of the file; null without one. Errors: `limit_reached`. */
export function parseIgnoreRules(text: string | null): readonly IgnoreRule[] {
  const lines = text === null ? left : text.split(/\r?\n/)
  const rules = lines.map(withoutBlanks).filter((line) => line !== '' && !line.startsWith('#'))
  if (rules.length > rulesMax || rules.some((line) => line.length > ruleCharactersMax))
    throw limitReached(`.gitignore has more than ${rulesMax} rules, or one that is too long.`, 'Shorten it.')
  return rules.map(ruleOf)
}

/** A blank at the end counts after a backslash. */
function withoutBlanks(line: string): string {
  const short = line.trimEnd()
  return short.endsWith('\\') && short.length < line.length ? `${short} ` : short
}

/** The last rule that fits counts. */
export function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  const names = path.split('/')
  return rules.reduce((ignored, rule) => (fits(rule, names) ? !rule.isExcepted : ignored), false)
}

function ruleOf(line: string): IgnoreRule {
  const written = line.replace(/^!|^\\(?=[!#])/, '')
  const isFolder = written.endsWith('/')
  const body = isFolder ? written.slice(0, -1) : written
  const parts = body.split('/').map((part) => (part === '**' ? null : globParts(part)))
  // A slash before its end says that a pattern begins at the root.
  const [, ...below] = parts
  const fromRoot = body.startsWith('/') ? below : parts
  return { parts: body.includes('/') ? fromRoot : [null, ...parts], isFolder, isExcepted: line.startsWith('!') }
}

/** Returns whether a rule matches a path or a folder above it. Follows all alternatives together, by the number of parts used. */
function fits({ parts, isFolder }: IgnoreRule, names: readonly string[]): boolean {
  let places = skipped(parts, new Set([0]))
  for (const [index, name] of names.entries()) {
    const next = new Set<number>()
    for (const at of places) {
      const part = parts[at]
      if (part === null) next.add(at).add(at === parts.length - 1 ? parts.length : at)
      else if (part !== undefined && matchesName(part, name)) next.add(at + 1)
    }
    places = skipped(parts, next)
    const isLast = index === names.length - 1
    if (places.has(parts.length) && !(isFolder && isLast)) return true
  }
  return false
}

/** `**` may match no part, but for the last one, which means the content. */
function skipped(parts: readonly (NamePattern | null)[], places: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(places)
  for (const at of all) if (parts[at] === null && at < parts.length - 1) all.add(at + 1)
  return all
}
