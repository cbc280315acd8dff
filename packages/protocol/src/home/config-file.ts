/** `config.yaml` as text: its keys and their lines. The settings are in config.ts. */

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { invalidInput, type TermError } from '../errors.ts'
import { configFileBytesMax } from '../limits.ts'

export interface ConfigFile {
  readonly path: string
  readonly text: string
}

export interface FileEntry {
  readonly value: unknown
  /** Counts from 1. */
  readonly line: number
}

interface ConfigEntries {
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
  return invalidInput(problem, 'For example: logBytes: 8388608   See: agentpty config --help')
}

interface At {
  /** Counts from 1. */
  readonly line: number
}

interface YamlScalar extends At {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
}

interface YamlList extends At {
  readonly kind: 'list'
  readonly items: readonly YamlValue[]
}

export interface YamlEntry extends At {
  readonly name: string
  readonly value: YamlValue
}

export interface YamlMap extends At {
  readonly kind: 'map'
  readonly entries: readonly YamlEntry[]
}

export type YamlValue = YamlScalar | YamlList | YamlMap

export interface YamlFault extends At {
  /** Without a full stop. */
  readonly what: string
}

/** A section of the file as settings, or its first fault. */
export type ReadSettings<Settings> =
  | { readonly settings: Settings; readonly fault: null }
  | { readonly settings: null; readonly fault: YamlFault }

/** An empty text is null. */
type YamlText = { readonly value: YamlValue } | { readonly fault: YamlFault }

const depthMax = 12
/** The parser takes each of them one level deeper on its stack. */
const tooDeep = /^[ \t]*(?:[-?:][ \t]+){16}|[[{][\s[{]{64}/m

/**
 * Parses YAML into values with their lines. JSON is YAML too.
 *
 * Aliases are refused: a few lines of them can expand to more than fits in memory. Nesting that is deeper than any
 * real file is refused too.
 */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter()
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line
  const deep = tooDeep.exec(text)
  if (deep !== null) return { fault: { what: 'Too deep', line: text.slice(0, deep.index).split('\n').length } }
  // Names that stand twice are looked for below: the parser compares each with all others.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const [problem] = document.errors
  if (problem !== undefined) return { fault: { what: problem.message, line: lineAt(problem.pos[0]) } }
  const reader = new Reader(lineAt)
  const value = reader.value(document.contents, 0)
  return reader.fault === null ? { value } : { fault: reader.fault }
}

class Reader {
  /** The first one. */
  fault: YamlFault | null = null
  readonly #lineAt: (offset: number | undefined) => number

  constructor(lineAt: (offset: number | undefined) => number) {
    this.#lineAt = lineAt
  }

  value(node: Node | null | undefined, depth: number, above = 1): YamlValue {
    const line = node?.range ? this.#lineAt(node.range[0]) : above
    if (node === null || node === undefined) return { kind: 'scalar', value: null, line }
    if (depth > depthMax) return this.#wrong('Too deep', line)
    if (isAlias(node)) return this.#wrong('An alias (*); write its value out', line)
    if (isSeq<Node>(node))
      return { kind: 'list', items: node.items.map((item) => this.value(item, depth + 1, line)), line }
    if (isMap<Node, Node>(node)) {
      const entries = node.items.map(({ key, value }): YamlEntry => {
        const at = key?.range ? this.#lineAt(key.range[0]) : line
        const name = isScalar(key) ? String(key.value) : ''
        if (!isScalar(key)) this.#wrong('A key that is no text', at)
        return { name, line: at, value: this.value(value, depth + 1, at) }
      })
      this.#checkNames(entries)
      return { kind: 'map', entries, line }
    }
    const value = isScalar(node) ? node.value : null
    const isPlain =
      value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return isPlain ? { kind: 'scalar', value, line } : this.#wrong('A value that is no text, number or boolean', line)
  }

  #checkNames(entries: readonly YamlEntry[]): void {
    const names = new Set<string>()
    for (const { name, line } of entries) {
      if (names.has(name)) this.#wrong(`${name} stands here twice; names are unique`, line)
      names.add(name)
    }
  }

  #wrong(what: string, line: number): YamlScalar {
    this.fault ??= { what, line }
    return { kind: 'scalar', value: null, line }
  }
}

/** Without its lines. */
export function plainYaml(value: YamlValue): unknown {
  if (value.kind === 'scalar') return value.value
  if (value.kind === 'list') return value.items.map(plainYaml)
  return Object.fromEntries(value.entries.map((entry) => [entry.name, plainYaml(entry.value)]))
}

/** Where the value at a path stands; the nearest one above it when there is none. */
export function yamlLineAt(value: YamlValue, [step, ...rest]: readonly PropertyKey[]): number {
  if (step === undefined || value.kind === 'scalar') return value.line
  if (value.kind === 'list') {
    const item = value.items[Number(step)]
    return item === undefined ? value.line : yamlLineAt(item, rest)
  }
  const entry = value.entries.find(({ name }) => name === step)
  if (entry === undefined) return value.line
  return rest.length === 0 ? entry.line : yamlLineAt(entry.value, rest)
}
