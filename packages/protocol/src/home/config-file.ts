/** `config.yaml` as text: its keys and their lines. The settings are in config.ts. */

import { TermError } from '../errors.ts'
import { configFileBytesMax } from '../limits.ts'
import { readYaml, type YamlEntry } from './yaml-text.ts'

export interface ConfigFile {
  readonly path: string
  readonly text: string
}

export interface FileEntry {
  readonly value: unknown
  /** Counts from 1. */
  readonly line: number
}

export interface ConfigEntries {
  /** Keys with one value. */
  readonly settings: ReadonlyMap<string, FileEntry>
  /** Keys that hold more than a value, where they are there. */
  readonly sections: ReadonlyMap<SectionName, YamlEntry>
}

export const sectionNames = ['policy', 'agents', 'notify', 'recording', 'gym'] as const
export type SectionName = (typeof sectionNames)[number]

export const isSectionName = (key: string): key is SectionName => sectionNames.some((one) => one === key)

/** Errors: `invalid_input` that names the line. */
export function parseConfigFile({ path, text }: ConfigFile): ConfigEntries {
  if (text.length > configFileBytesMax) throw wrong(`${path}: larger than ${configFileBytesMax} bytes.`)
  const read = readYaml(text)
  if ('fault' in read) throw wrong(`${path}:${read.fault.line}: ${read.fault.what}.`)
  const { value: content } = read
  if (content.kind === 'scalar' && content.value === null) return { settings: new Map(), sections: new Map() }
  if (content.kind !== 'map') throw wrong(`${path}: not a list of keys and values.`)
  const settings = new Map<string, FileEntry>()
  const sections = new Map<SectionName, YamlEntry>()
  for (const entry of content.entries) {
    const { name, line, value } = entry
    if (isSectionName(name)) {
      sections.set(name, entry)
      continue
    }
    if (value.kind !== 'scalar') throw wrong(`${path}:${line}: ${name} must be one value.`)
    settings.set(name, { value: value.value, line })
  }
  return { settings, sections }
}

function wrong(problem: string): TermError {
  return new TermError('invalid_input', problem, 'For example: logBytes: 8388608   See: agentpty config --help')
}
