/** Runs many cases in one shell, several terminals at a time, and counts the results. */

import type { Terminals } from 'agentpty'
import { type Case, linesIn } from './case.ts'
import { runCase } from './driver.ts'
import { generate } from './generate.ts'
import { type Shrunk, shrink } from './shrink.ts'

export interface ShellsOptions {
  readonly shell: string
  readonly seed: number
  readonly lines: number
  readonly terminalsAtOnce: number
  readonly found?: (finding: Shrunk) => void
}

export interface ShellsReport {
  readonly lines: number
  readonly calls: number
  readonly refused: number
  /** Recorded programs that ran. */
  readonly ran: number
  readonly seconds: number
  readonly findings: readonly Shrunk[]
}

/** More findings are usually the same one. */
const findingsMax = 5

export async function fuzzShell(terminals: Terminals, options: ShellsOptions): Promise<ShellsReport> {
  const { shell, lines, terminalsAtOnce, found } = options
  const started = performance.now()
  const counts = { lines: 0, calls: 0, refused: 0, ran: 0 }
  const findings: Shrunk[] = []
  let seed = options.seed
  let given = 0
  const next = (): Case | null => {
    if (given >= lines || findings.length >= findingsMax) return null
    const tested = generate(shell, seed++)
    given += tested.steps.reduce((sum, step) => sum + linesIn(step), 0)
    return tested
  }
  const work = async () => {
    for (let tested = next(); tested !== null; tested = next()) {
      const outcome = await runCase(terminals, tested)
      const done = tested.steps.slice(0, outcome.errors.length)
      counts.lines += done.reduce((sum, step) => sum + linesIn(step), 0)
      counts.calls += outcome.errors.length
      counts.refused += outcome.errors.filter((error) => error !== null).length
      counts.ran += outcome.ran.length
      if (outcome.violations.length === 0) continue
      const finding = await shrink({ tested, outcome }, (smaller) => runCase(terminals, smaller))
      findings.push(finding)
      found?.(finding)
    }
  }
  await Promise.all(Array.from({ length: terminalsAtOnce }, work))
  return { ...counts, seconds: (performance.now() - started) / 1_000, findings }
}
