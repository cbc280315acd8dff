/** Rules of one file that work, and are hardly meant the way they work. */

import type { PolicyProblem } from '@agentpty/protocol/policy'
import type { PolicyRules } from './policy-rules.ts'

type Doubt = Omit<PolicyProblem, 'file' | 'mark'>

export function doubts({ deny, ask, allow, tools, paths, urls }: PolicyRules): readonly Doubt[] {
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
