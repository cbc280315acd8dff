/**
 * CodeBuddy's `.codebuddy/security.json` and `.codebuddy/permissions.json`, so that a team's own patterns apply here too. They are in the
 * folder where an agent works, so they only tighten: entries that would loosen are reported and left out.
 *
 * Their expressions were tested on small letters, whatever case they were written in; here they match either.
 */

import { policyPatternCharactersMax, policyPatternsMax } from '@agentpty/protocol'
import type { YamlMap, YamlValue } from '@agentpty/protocol/home'
import { policyProfiles, type Written } from '@agentpty/protocol/policy'
import { compileExpression } from './expression.ts'
import { isLooserThanDefault, noRules, type PolicyRules, type Rule } from './policy-rules.ts'
import type { RulesReader } from './rules-reader.ts'
import { type PathPattern, parsePathPattern } from './wildcard.ts'

export function readCodebuddyPermissions(value: YamlMap, reader: RulesReader): PolicyRules {
  reportUnknown(value, ['profile', 'commandDenyPatterns', 'toolAllowlist', 'toolBlocklist'], reader)
  reportIgnored(value, 'toolAllowlist', reader)
  return {
    ...noRules,
    profile: profileIn(value, reader),
    deny: expressions(value, 'commandDenyPatterns', reader),
    tools: { only: [], deny: reader.tools(textsIn(value, 'toolBlocklist', reader)) },
  }
}

export function readCodebuddySecurity(value: YamlMap, reader: RulesReader): PolicyRules {
  const lists = ['commandDenyPatterns', 'networkAllowPatterns', 'networkDenyPatterns', 'blockedPathPatterns']
  reportUnknown(value, ['version', 'allowedPaths', ...lists], reader)
  reportIgnored(value, 'allowedPaths', reader)
  const only = expressions(value, 'networkAllowPatterns', reader)
  const first = only[0]
  return {
    ...noRules,
    deny: expressions(value, 'commandDenyPatterns', reader),
    paths: { ...noRules.paths, deny: blockedPaths(value, reader) },
    urls: {
      // Any pattern makes it a list of the only ones.
      only: first === undefined ? [] : [{ rules: only, source: first.source }],
      deny: expressions(value, 'networkDenyPatterns', reader),
    },
  }
}

function profileIn(value: YamlMap, reader: RulesReader): PolicyRules['profile'] {
  const entry = entryOf(value, 'profile')
  if (entry === null) return null
  const given = entry.value.kind === 'scalar' ? entry.value.value : null
  const profile = policyProfiles.find((one) => one === given)
  if (profile === undefined) {
    const found = `profile: ${JSON.stringify(given)} is none.`
    reader.problem('wrong', { line: entry.line, found, advice: `One of: ${policyProfiles.join(', ')}` })
    return null
  }
  if (!isLooserThanDefault(profile)) return { value: profile, source: reader.at(entry.line) }
  const found = `profile: ${profile} does not count here.`
  reader.problem('ignored', { line: entry.line, found, advice: loosens })
  return null
}

const loosens = 'It would loosen. If you want it, write it into your own file: agentpty config path'

function reportIgnored(value: YamlMap, name: string, reader: RulesReader): void {
  const entry = entryOf(value, name)
  const isList = entry?.value.kind === 'list' && entry.value.items.length > 0
  if (entry !== null && isList)
    reader.problem('ignored', { line: entry.line, found: `${name} does not count here.`, advice: loosens })
}

function reportUnknown(value: YamlMap, names: readonly string[], reader: RulesReader): void {
  for (const { name, line } of value.entries)
    if (!names.includes(name))
      reader.problem('ignored', { line, found: `there is no key "${name}".`, advice: `There are: ${names.join(', ')}` })
}

const entryOf = (value: YamlMap, name: string) => value.entries.find((entry) => entry.name === name) ?? null

interface Refused {
  readonly problem: string
}

/** Returns the texts; numbers and other values among them are reported. */
function textsIn(value: YamlMap, name: string, reader: RulesReader): readonly Written<string>[] {
  const list = entryOf(value, name)
  if (list === null) return []
  const advice = `A list of at most ${policyPatternsMax} texts of 1 to ${policyPatternCharactersMax} characters.`
  if (list.value.kind !== 'list') {
    reader.problem('wrong', { line: list.line, found: `${name} is no list.`, advice })
    return []
  }
  const { items } = list.value
  const over = items[policyPatternsMax]
  if (over !== undefined) reader.problem('wrong', { line: over.line, found: `${name} is too long.`, advice })
  return items.slice(0, policyPatternsMax).flatMap((item) => {
    const text = textOf(item)
    if (text !== null) return [{ value: text, line: item.line }]
    reader.problem('wrong', { line: item.line, found: `${name} holds what is no such text.`, advice })
    return []
  })
}

function textOf(item: YamlValue): string | null {
  if (item.kind !== 'scalar' || typeof item.value !== 'string') return null
  return item.value.length > 0 && item.value.length <= policyPatternCharactersMax ? item.value : null
}

const advice = 'Write it without what cannot be matched in one pass; docs/policy.md says what that is.'

function expressionIn(text: string) {
  const expression = compileExpression(text, { flags: 'i' })
  return 'problem' in expression ? expression : { kind: 'expression' as const, expression }
}

/** Patterns of commands or of addresses, which both are expressions. */
function expressions(value: YamlMap, key: string, reader: RulesReader) {
  return reader.rules(textsIn(value, key, reader), { key, advice }, expressionIn)
}

/** The name of a file or folder anywhere, or an expression for the whole path. */
function blockedPaths(value: YamlMap, reader: RulesReader): readonly Rule<PathPattern>[] {
  const key = 'blockedPathPatterns'
  return reader.rules(textsIn(value, key, reader), { key, advice }, (text): PathPattern | Refused => {
    if (/^[\w.@ -]+$/.test(text)) return parsePathPattern(text, { home: '/', folder: null })
    return expressionIn(text)
  })
}
