/** Parses one file of rules: returns its rules and its problems. Pure, and never throws, whatever the file contains. */

import { readYaml, type YamlValue } from '@agentpty/protocol/home'
import {
  type PolicyFileKind,
  type PolicyProblem,
  readWrittenPolicy,
  type Written,
  type WrittenPolicy,
} from '@agentpty/protocol/policy'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import { isLooserThanDefault, noRules, type OnlyList, type PolicyRules, type Sourced } from './policy-rules.ts'
import { readCodebuddyPermissions, readCodebuddySecurity } from './read-codebuddy.ts'
import { RulesReader } from './rules-reader.ts'
import type { PathPlace } from './wildcard.ts'

interface RulesFile {
  readonly path: string
  readonly kind: PolicyFileKind
  readonly text: string
}

export interface ReadRules {
  readonly rules: PolicyRules
  readonly problems: readonly PolicyProblem[]
  /** False when something in it is wrong; what is right counts nevertheless. */
  readonly isValid: boolean
}

/** `place.folder`: what relative paths in the file begin at; null in the user’s own. */
export function readRules(file: RulesFile, place: PathPlace): ReadRules {
  const read = readYaml(file.text)
  if ('fault' in read) return unreadable(file, { line: read.fault.line, what: read.fault.what })
  const reader = new RulesReader(file.path, place)
  const rules = rulesIn(read.value, file.kind, reader)
  if (rules === null) return unreadable(file, { line: 1, what: 'Not a list of keys and values' })
  const problems = reader.problems.toSorted((one, other) => one.line - other.line)
  return { rules, problems, isValid: !problems.some(({ mark }) => mark === 'wrong') }
}

function rulesIn(value: YamlValue, kind: PolicyFileKind, reader: RulesReader): PolicyRules | null {
  if (value.kind === 'scalar' && value.value === null) return noRules
  if (value.kind !== 'map') return null
  if (kind === 'codebuddy-security') return readCodebuddySecurity(value, reader)
  if (kind === 'codebuddy-permissions') return readCodebuddyPermissions(value, reader)
  if (kind === 'repository') return ownRules(value, reader, 'repository')
  const policy = value.entries.find(({ name }) => name === 'policy')
  return policy === undefined ? noRules : ownRules(policy.value, reader, 'user')
}

/** For a file that says nothing that can be read. Files of another product are not taken that seriously. */
export function unreadable(
  { path, kind }: Pick<RulesFile, 'path' | 'kind'>,
  { line, what }: { readonly line: number; readonly what: string },
): ReadRules {
  const isOurs = kind === 'user' || kind === 'repository'
  const source = { file: path, line }
  const until = isOurs ? ' Until then, what is not known to read only is asked about.' : ''
  const problem: PolicyProblem = {
    ...source,
    mark: 'wrong',
    found: `${what}.`,
    advice: `Mend it, or remove it.${until}`,
  }
  return { rules: isOurs ? { ...noRules, broken: [source] } : noRules, problems: [problem], isValid: false }
}

function ownRules(value: YamlValue, reader: RulesReader, kind: 'user' | 'repository'): PolicyRules {
  const { written, faults } = readWrittenPolicy(value)
  for (const { line, what, advice, isUnknownKey } of faults)
    reader.problem(isUnknownKey && kind === 'repository' ? 'ignored' : 'wrong', { line, found: `${what}.`, advice })
  const rules: PolicyRules = {
    profile: reader.sourced(written.profile),
    deny: reader.commands(written.deny, 'deny', 'wide'),
    ask: reader.commands(written.ask, 'ask', 'wide'),
    allow: reader.commands(written.allow, 'allow', 'whole'),
    tools: {
      only: onlyOf(reader, written.tools.only, (texts) => reader.tools(texts)),
      deny: reader.tools(written.tools.deny),
    },
    paths: {
      read: reader.paths(written.paths.read, 'paths.read'),
      write: reader.paths(written.paths.write, 'paths.write'),
      deny: reader.paths(written.paths.deny, 'paths.deny'),
    },
    urls: {
      only: onlyOf(reader, written.urls.only, (texts) => reader.urls(texts, 'urls.only')),
      deny: reader.urls(written.urls.deny, 'urls.deny'),
    },
    typing: Object.fromEntries(Object.entries(written.typing).map(([name, one]) => [name, reader.sourced(one)])),
    typingAtLeast: {},
    sandboxes: [reader.sourced(written.sandbox)].filter((one) => one !== null),
    gate: reader.sourced(written.gate),
    approvalTimeoutMs: reader.sourced(written.approvalTimeoutMs),
    broken: [],
    guarded: [],
  }
  for (const doubt of doubts(rules)) reader.problem('doubtful', doubt)
  return kind === 'user' ? rules : withoutLoosening(rules, written, reader)
}

function onlyOf<Kind>(
  reader: RulesReader,
  texts: readonly Written<string>[] | null,
  read: (texts: readonly Written<string>[]) => readonly Kind[],
): readonly OnlyList<Kind>[] {
  return texts === null ? [] : [{ rules: read(texts), source: reader.at(texts[0]?.line ?? 1) }]
}

const forYourself = 'A repository only tightens. If you want it, write it into your own file: agentpty config path'

/** Leaves out what a repository may not do, and reports it. */
function withoutLoosening(rules: PolicyRules, written: WrittenPolicy, reader: RulesReader): PolicyRules {
  const ignored = (found: string, one: Written<unknown> | null | undefined) => {
    if (one) reader.problem('ignored', { line: one.line, found, advice: forYourself })
  }
  ignored('allow does not count here.', written.allow[0])
  ignored('paths.read does not count here.', written.paths.read[0])
  ignored('paths.write does not count here.', written.paths.write[0])
  ignored('approvalTimeoutMs does not count here.', written.approvalTimeoutMs)
  if (written.gate?.value === 'off') ignored('gate: off does not count here.', written.gate)
  const { sandbox } = written
  if (sandbox?.value === false) ignored('sandbox: false does not count here.', sandbox)
  const settings = typeof sandbox?.value === 'object' ? sandbox.value : {}
  if (settings.writable !== undefined) ignored('sandbox.writable does not count here.', sandbox)
  const loose = written.profile && isLooserThanDefault(written.profile.value) ? written.profile : null
  ignored(`profile: ${loose?.value} does not count here.`, loose)
  return {
    ...rules,
    profile: loose === null ? rules.profile : null,
    allow: [],
    paths: { ...rules.paths, read: [], write: [] },
    sandboxes: rules.sandboxes.flatMap(withoutHoles),
    typing: {},
    typingAtLeast: rules.typing,
    approvalTimeoutMs: null,
  }
}

/** A repository puts walls up and takes none down. */
function withoutHoles({ value, source }: Sourced<Sandbox>): readonly Sourced<Sandbox>[] {
  if (value === false) return []
  if (value === true) return [{ value, source }]
  const { writable: _, ...stricter } = value
  return [{ value: stricter, source }]
}

type Doubt = Omit<PolicyProblem, 'file' | 'mark'>

/** Rules of one file that work, and are hardly meant the way they work. */
function doubts({ deny, ask, allow, tools, paths, urls }: PolicyRules): readonly Doubt[] {
  return [
    ...overlaps(allow, [...deny, ...ask], 'allow', 'deny or ask, which goes before'),
    ...overlaps(ask, deny, 'ask', 'deny, which goes before'),
    ...overlaps([...paths.read, ...paths.write], paths.deny, 'paths', 'paths.deny, which goes before'),
    ...tools.only.flatMap(({ rules }) => overlaps(rules, tools.deny, 'tools.only', 'tools.deny, which goes before')),
    ...urls.only.flatMap(({ rules }) => overlaps(rules, urls.deny, 'urls.only', 'urls.deny, which goes before')),
    ...allow.filter(({ text }) => /^[*\s]+$|^\/\.\*\/i?$/.test(text)).map(allowsAll),
  ]
}

interface Listed {
  readonly text: string
  readonly source: { readonly line: number }
}

function overlaps(some: readonly Listed[], others: readonly Listed[], key: string, where: string): readonly Doubt[] {
  const lines = new Map(others.map(({ text, source }) => [normal(text), source.line]))
  return some.flatMap(({ text, source }) => {
    const line = lines.get(normal(text))
    if (line === undefined) return []
    const found = `${key}: ${JSON.stringify(text)} stands in line ${line} too, in ${where}.`
    return [{ line: source.line, found, advice: 'Remove one of the two.' }]
  })
}

const normal = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

function allowsAll({ text, source }: Listed): Doubt {
  return {
    line: source.line,
    found: `allow: ${JSON.stringify(text)} lifts every question but those of the floor and of what cannot be resolved.`,
    advice: 'Name the commands you mean, or set profile: trusted.',
  }
}
