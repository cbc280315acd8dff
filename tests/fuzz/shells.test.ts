/** Random lines, typed into the real shells of this machine: nothing runs that was not allowed. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTerminals, type Terminals } from '../../packages/agentpty/src/index.ts'
import { isDangerous, linesIn, violationsOf } from './shells/case.ts'
import { findShell } from './shells/driver.ts'
import { fuzzShell } from './shells/fuzz-shells.ts'
import { generate } from './shells/generate.ts'
import { report, shellNames } from './shells/main.ts'

const lines = 300
/** A longer run by hand tries other seeds. */
const seeds: Readonly<Record<string, number>> = {}

describe('the shells of this machine', () => {
  let terminals: Terminals
  beforeAll(async () => {
    terminals = await openTerminals()
  })
  afterAll(() => terminals.close())

  test.each(shellNames.filter((shell) => findShell(shell) !== null))(
    '%s runs nothing that was refused',
    { timeout: 180_000 },
    async (shell) => {
      const { ran, findings } = await fuzzShell(terminals, {
        shell,
        seed: seeds[shell] ?? 1,
        lines,
        terminalsAtOnce: 2,
      })
      expect(findings.map((finding) => `${report(finding)}\n${JSON.stringify(finding.tested)}`)).toEqual([])
      expect(ran).toBeGreaterThan(0)
    },
  )
})

test('a seed gives the same case again', () => {
  expect(generate('zsh', 7)).toEqual(generate('zsh', 7))
  expect(generate('zsh', 7).steps.some((step) => linesIn(step) > 0)).toBe(true)
})

test('a dangerous program counts with its argument only', () => {
  expect(isDangerous('rm -r /docs', '/docs')).toBe(true)
  expect(isDangerous('rm -r /other', '/docs')).toBe(false)
  expect(isDangerous('s1 rm -r /docs', '/docs')).toBe(false)
})

test('a command of a refused call is a violation, unless another call entered it', () => {
  const step = { send: 's1 kabcd', newline: true, waitMs: 0 }
  const tested = { shell: 'bash', seed: 1, steps: [step, step] }
  expect(violationsOf(tested, { errors: ['denied', 'denied'], ran: ['s1 kabcd'] }, '/docs')).toHaveLength(1)
  expect(violationsOf(tested, { errors: ['denied', null], ran: ['s1 kabcd'] }, '/docs')).toEqual([])
})
