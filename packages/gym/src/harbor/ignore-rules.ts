/** Which files of a task do not belong to it, by the rules of .gitignore; without one, what editors and Python leave behind. */

import { TermError } from '@agentpty/protocol'
import { globParts, matchesName, type NamePattern } from './name-pattern.ts'

export interface IgnoreRule {
  /** Of a path from the folder, part by part; null is any number of parts. */
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
    throw new TermError(
      'limit_reached',
      `.gitignore has more than ${rulesMax} rules, or one that is too long.`,
      'Shorten it.',
    )
  return rules.map(ruleOf)
}

/** A blank at the end counts where a backslash stands before it. */
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

/** A rule also fits all that lies below what it names. All ways at once, by how many of its parts were used. */
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

/** Any number of parts may be none, but for the last one, which stands for what is inside. */
function skipped(parts: readonly (NamePattern | null)[], places: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(places)
  for (const at of all) if (parts[at] === null && at < parts.length - 1) all.add(at + 1)
  return all
}
