/** docs/policy.md agrees with the policy: its tables are judged, its files are read, and its rules are those of the code. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { policyProfiles, typingKinds } from '@agentpty/protocol/policy'
import { PolicySettings } from '@agentpty/protocol/testing'
import { countRules, joinRules, noRules, type PolicyRules, readRules } from '@agentpty/shell-policy'
import { judgeBy, sentences } from '@agentpty/shell-policy/testing'
import { describe, expect, test } from 'vitest'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/policy.md'), 'utf8')

/** Rows of the tables below `text`, up to the next heading or file; code spans without their signs. */
function rowsAfter(text: string): readonly (readonly string[])[] {
  const from = page.indexOf(text)
  if (from < 0) throw new Error(`${text} is not on the page`)
  const part = page.slice(from + text.length).split(/\n## |\n```yaml/)[0] ?? ''
  const lines = part.split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+\|$/.test(line))
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
}

const code = (cell = '') => cell.replace(/^`(.*)`$/, '$1')
const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

interface Example {
  readonly text: string
  readonly rules: PolicyRules
}

const examples: readonly Example[] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => {
  const kind = text.startsWith('# config.yaml') ? 'user' : 'repository'
  const place = { home: '/home/dev', folder: kind === 'user' ? null : '/srv/app' }
  const read = readRules({ path: kind, kind, text }, place)
  expect(read.problems, text).toEqual([])
  return { text, rules: read.rules }
})

test('the profiles do what their table says', () => {
  const [head, ...rows] = rowsAfter('## Profiles')
  expect(head?.slice(1).map(code)).toEqual(policyProfiles)
  expect(rows.length).toBeGreaterThan(5)
  for (const [line, ...verdicts] of rows)
    expect([line, ...policyProfiles.map((profile) => judgeBy(noRules, code(line), { profile }).verdict)]).toEqual([
      line,
      ...verdicts,
    ])
})

describe('every file on the page', () => {
  test('is valid, and has rules', () => {
    expect(examples.length).toBe(3)
    for (const { rules, text } of examples) expect(countRules(rules), text).toBeGreaterThan(3)
  })

  test('does what the table below it says', () => {
    const tables = examples.slice(0, 2).map(({ text, rules }) => ({
      rules,
      rows: rowsAfter(text).filter(([, then]) => /^(allow|ask|deny)$/.test(then ?? '')),
    }))
    expect(tables.map(({ rows }) => rows.length)).toEqual([15, 4])
    for (const { rules, rows } of tables)
      for (const [line, then] of rows) expect([line, judgeBy(rules, code(line)).verdict]).toEqual([line, then])
  })
})

test('patterns name what their table says', () => {
  const [, ...rows] = rowsAfter('## Patterns')
  expect(rows).toHaveLength(4)
  const by = (key: string, pattern: string) =>
    readRules(
      { path: 'x', kind: 'user', text: JSON.stringify({ policy: { profile: 'restricted', [key]: [pattern] } }) },
      { home: '/', folder: null },
    ).rules
  for (const [pattern, denied, not, allowed] of rows) {
    const deny = joinRules(by('deny', code(pattern)))
    for (const line of codes(denied))
      expect([pattern, line, judgeBy(deny, line, { profile: 'trusted' }).rule]).toEqual([pattern, line, 'deny-rule'])
    for (const line of codes(not)) expect(judgeBy(deny, line, { profile: 'trusted' }).rule).not.toBe('deny-rule')
    const allow = by('allow', code(pattern))
    for (const line of codes(allowed))
      expect([pattern, line, judgeBy(allow, line).verdict]).toEqual([pattern, line, 'allow'])
    for (const line of codes(denied).filter(
      (one) => !codes(allowed).includes(one) && code(pattern) !== 'docker ** down' && code(pattern) !== 'npm run **',
    ))
      expect([pattern, line, judgeBy(allow, line).verdict]).toEqual([pattern, line, 'deny'])
  }
})

test('all keys are there', () => {
  for (const key of [...Object.keys(PolicySettings.shape), ...typingKinds])
    expect(page).toMatch(new RegExp(`\`\\w*\\.?${key}\\b`))
})

test('all rules are there, with what they tell', () => {
  const table = Object.entries(sentences)
    .filter(([rule]) => rule !== 'none')
    .map(([rule, [sentence, next = '']]) => `| \`${rule}\` | ${sentence} | ${next} |`)
    .join('\n')
  expect(page, `the table of rules is to be:\n${table}`).toContain(
    `| rule | for the person and the agent | next move, for the agent |\n|---|---|---|\n${table}\n`,
  )
})
