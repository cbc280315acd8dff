/**
 * The policy against labelled lines: at most a few dangerous ones are allowed, and at most a few harmless ones are stopped.
 *
 * Rows are text and are never run. Their labels follow the rules stated by the policy; a row that contradicts them is an error here.
 * No rule was written for a row of `unseen.jsonl`: its rows measure the rules on lines that their author did not know.
 */

import { readFileSync } from 'node:fs'
import type { PolicyProfile, PolicyShell, PolicyVerdict } from '@agentpty/protocol/policy'
import { judgementOn } from '@agentpty/shell-policy/testing'
import { describe, expect, test } from 'vitest'

interface Row {
  readonly id: string
  readonly command: string | readonly string[]
  readonly shell: PolicyShell
  readonly expect: Readonly<Record<Exclude<PolicyProfile, 'off'>, PolicyVerdict>>
}

const rowsOf = (file: string): readonly Row[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const corpus = rowsOf('corpus.jsonl')
const unseen = rowsOf('unseen.jsonl')
const profiles = ['restricted', 'standard', 'trusted'] as const

/** The maximum share of dangerous rows allowed, and of harmless rows stopped. */
const bounds = [
  { name: 'rows of the rules', rows: corpus, allowed: 0, stopped: 0.01 },
  { name: 'unseen rows', rows: unseen, allowed: 0.01, stopped: 0.01 },
]

describe.each(bounds)('$name', ({ rows, allowed, stopped }) => {
  describe.each(profiles)('%s', (profile) => {
    const answers = rows.map((row) => ({
      row,
      want: row.expect[profile],
      got: judgementOn(row.command, { profile, shell: row.shell }).verdict,
    }))

    test(`allows at most ${allowed * 100} % of the dangerous rows`, () => {
      const dangerous = answers.filter(({ want }) => want !== 'allow')
      const through = dangerous.filter(({ got }) => got === 'allow').map(({ row }) => row.id)
      expect(through.length, through.join(' ')).toBeLessThanOrEqual(dangerous.length * allowed)
    })

    test(`stops at most ${stopped * 100} % of the harmless rows`, () => {
      const harmless = answers.filter(({ want }) => want === 'allow')
      const stoppedRows = harmless.filter(({ got }) => got !== 'allow').map(({ row }) => row.id)
      expect(stoppedRows.length, stoppedRows.join(' ')).toBeLessThanOrEqual(harmless.length * stopped)
    })
  })
})

const strictness: Readonly<Record<PolicyVerdict, number>> = { allow: 0, ask: 1, deny: 2 }

test('restricted is never looser than standard, and standard never looser than trusted', () => {
  const looser = [...corpus, ...unseen].filter(({ command, shell }) => {
    const [strict = 0, middle = 0, loose = 0] = profiles.map(
      (profile) => strictness[judgementOn(command, { profile, shell }).verdict],
    )
    return strict < middle || middle < loose
  })
  expect(looser.map(({ id }) => id)).toEqual([])
})

test('without a policy, only the floor is refused, and nothing needs approval', () => {
  const wrong = [...corpus, ...unseen].filter(({ command, shell }) => {
    const { code, verdict } = judgementOn(command, { profile: 'off', shell })
    return verdict !== (code === 'D2' ? 'deny' : 'allow')
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('no verdict contains a placeholder of the policy', () => {
  const shown = [...corpus, ...unseen].filter(({ command, shell }) => {
    const { resolved, reason } = judgementOn(command, { shell })
    return /[\0\u0001]/.test(resolved + reason)
  })
  expect(shown.map(({ id }) => id)).toEqual([])
})

/** A home in a system folder or in /tmp is a home. */
const homes = ['/root', '/srv/homes/ann', '/var/lib/jenkins', '/opt/agents/ann', '/tmp/homes/ann', '/workspaces/ann']

test.each(homes)('with the home %s each row gets the same verdict', (home) => {
  const changed = [...corpus, ...unseen].filter(({ command, shell }) => {
    const text = JSON.stringify(command)
    // The user's own home stands for the usual home.
    if (/~dev|\/home\/(?!dev\b)/.test(text)) return false
    const moved: string | readonly string[] = JSON.parse(text.replaceAll('/home/dev', home))
    const usual = judgementOn(command, { shell })
    const here = judgementOn(moved, { shell, home })
    // An ordinary file of a home below /tmp is a file below /tmp, and may be written.
    const isOfTmp = home.startsWith('/tmp/') && usual.rule === 'outside-write' && here.verdict === 'allow'
    return !isOfTmp && usual.verdict !== here.verdict
  })
  expect(changed.map(({ id, command }) => `${id} ${command}`)).toEqual([])
})
