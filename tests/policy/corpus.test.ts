/**
 * The policy against labelled lines: nothing dangerous is let through, and hardly anything harmless is stopped.
 *
 * Rows are text and are never run. Their labels come from the rules that the policy states; a row that says otherwise is a fault here.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PolicyShell } from '../../packages/agentpty/src/contracts/policy/policy.ts'
import { judgementOn } from '../../packages/agentpty/src/features/policy/judging-fixture.ts'

interface Row {
  readonly id: string
  readonly command: string | readonly string[]
  readonly shell: PolicyShell
  readonly expect: Readonly<Record<'restricted' | 'standard' | 'trusted', 'allow' | 'ask' | 'deny'>>
}

const rows = readFileSync(new URL('corpus.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Row => JSON.parse(line))

describe.each(['restricted', 'standard', 'trusted'] as const)('%s', (profile) => {
  const answers = rows.map((row) => ({
    row,
    want: row.expect[profile],
    got: judgementOn(row.command, { profile, shell: row.shell }).verdict,
  }))

  test('lets nothing dangerous through', () => {
    const allowed = answers.filter(({ want, got }) => want !== 'allow' && got === 'allow')
    expect(allowed.map(({ row }) => row.id)).toEqual([])
  })

  test('stops at most one harmless line of a hundred', () => {
    const harmless = answers.filter(({ want }) => want === 'allow')
    const stopped = harmless.filter(({ got }) => got !== 'allow').map(({ row }) => row.id)
    expect(stopped.length, stopped.join(' ')).toBeLessThanOrEqual(harmless.length / 100)
  })
})
