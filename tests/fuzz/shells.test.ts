/** Random lines typed into the real shells of this machine: nothing runs that was not allowed. */

import process from 'node:process'
import { openTerminals, type Terminals } from 'agentpty'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDangerous, linesIn, violationsOf } from './shells/case.ts'
import { findShell, runCase } from './shells/driver.ts'
import { fuzzShell } from './shells/fuzz-shells.ts'
import { generate } from './shells/generate.ts'
import { keptCases } from './shells/kept-cases.ts'
import { installHint, report, shellNames, terminalsAtOnce } from './shells/main.ts'

const lines = 300
/** A longer manual run uses other seeds. */
const seed = 1
const absent: readonly string[] = shellNames.filter((shell) => findShell(shell) === null)
const title = (shell: string) =>
  absent.includes(shell) ? `${shell} is not installed, and nothing was typed` : `${shell} runs nothing that was refused`

describe(`the shells of this machine${absent.length === 0 ? '' : `, without ${absent.join(', ')}`}`, () => {
  let terminals: Terminals
  beforeAll(async () => {
    terminals = await openTerminals()
  })
  afterAll(() => terminals.close())

  test.each(shellNames.map((shell) => [title(shell), shell] as const))('%s', { timeout: 600_000 }, async (_, shell) => {
    if (absent.includes(shell)) {
      process.stdout.write(`SKIPPED: ${title(shell)}. ${installHint(shell)}\n`)
      return
    }
    const { ran, findings } = await fuzzShell(terminals, { shell, seed, lines, terminalsAtOnce })
    expect(findings.map((finding) => `${report(finding)}\n${JSON.stringify(finding.tested)}`)).toEqual([])
    expect(ran).toBeGreaterThan(0)
  })
})

test.each(keptCases.map((kept) => [`${title(kept.shell)}: ${kept.title}`, kept] as const))('%s', async (_, kept) => {
  if (absent.includes(kept.shell)) return
  const terminals = await openTerminals()
  const { violations, screen } = await runCase(terminals, kept).finally(() => terminals.close())
  expect(violations, screen).toEqual([])
})

test('a seed reproduces its case', () => {
  expect(generate('zsh', 7)).toEqual(generate('zsh', 7))
  expect(generate('zsh', 7).steps.some((step) => linesIn(step) > 0)).toBe(true)
})

test('a dangerous program counts only with its argument', () => {
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
