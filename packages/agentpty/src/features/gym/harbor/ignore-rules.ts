/** Which files of a task do not belong to it, by the rules of .gitignore; without one, what editors and Python leave behind. */

import { TermError } from '../../../contracts/errors.ts'

export interface IgnoreRule {
  /** Of a path from the folder; it also fits what lies below. */
  readonly pattern: RegExp
  /** Takes out what an earlier rule has named. */
  readonly isExcepted: boolean
}

const left = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~']
const rulesMax = 2_000
const patternCharactersMax = 500
/** Each may try every place in a path, and so may the next one. */
const starsMax = 8

/** `text`: of the file; null without one. Errors: `invalid_input`, `limit_reached`. */
export function parseIgnoreRules(text: string | null): readonly IgnoreRule[] {
  const lines = text === null ? left : text.split(/\r?\n/)
  const rules = lines
    .map((line) => line.replace(/(?<!\\)\s+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (rules.length > rulesMax || rules.some(isTooLong))
    throw new TermError(
      'limit_reached',
      `.gitignore has more than ${rulesMax} rules, or one that is too long.`,
      'Shorten it.',
    )
  return rules.map(ruleOf)
}

const isTooLong = (line: string): boolean =>
  line.length > patternCharactersMax || line.replaceAll(/\*+/g, '*').split('*').length > starsMax + 1

/** The last rule that fits counts. */
export function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  return rules.reduce((ignored, { pattern, isExcepted }) => (pattern.test(path) ? !isExcepted : ignored), false)
}

function ruleOf(line: string): IgnoreRule {
  const isExcepted = line.startsWith('!')
  const written = line.replace(/^!|^\\(?=[!#])/, '')
  const isFolder = written.endsWith('/')
  const body = written.replace(/\/+$/, '')
  // A slash before its end says where a pattern begins.
  const begin = body.includes('/') ? '^' : '^(?:.*/)?'
  const end = isFolder ? '/' : '(?:/|$)'
  return { pattern: compiled(begin + expressionOf(body.replace(/^\//, '')) + end, line), isExcepted }
}

function compiled(expression: string, line: string): RegExp {
  try {
    return new RegExp(expression, 's')
  } catch {
    // Only a range that runs backwards is left to be wrong.
    throw new TermError('invalid_input', `.gitignore: "${line}" is no pattern.`, 'Mend the range in its brackets.')
  }
}

const parts = /\*\*\/|\/\*\*$|\*+|\?|\[!?[^\]/]+\]|\\(.)|[\s\S]/g

function expressionOf(pattern: string): string {
  return pattern.replaceAll(parts, (part, escaped?: string) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '/**') return '/.*'
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 2 && part.startsWith('[')) return classOf(part)
    return (escaped ?? part).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
}

const classOf = (part: string): string => {
  const inner = part.slice(1, -1)
  const [sign, set] = inner.startsWith('!') ? ['^', inner.slice(1)] : ['', inner]
  return `[${sign}${set.replaceAll(/[\\\]^[]/g, '\\$&')}]`
}
