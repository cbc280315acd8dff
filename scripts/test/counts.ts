/** Passed and failed, read from what the different test runners print. */

export interface Count {
  readonly passed: number
  readonly failed: number
}

export const nothing: Count = { passed: 0, failed: 0 }

/** TAP: `ok 1 - reads` and `not ok 2 - writes`. */
export function countTap(output: string): Count {
  return { passed: matches(output, /^ok \d+/gm), failed: matches(output, /^not ok \d+/gm) }
}

/** A file that could not be loaded has no tests of its own; each such file is one failure more. */
export function countVitest(json: string): Count {
  const report = JSON.parse(json) as VitestReport
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

/** Python's unittest: `Ran 12 tests in 0.1s`, then `OK` or `FAILED (failures=1, errors=2)`. */
export function countUnittest(output: string): Count {
  const ran = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0)
  const verdict = /^FAILED \((.*)\)$/m.exec(output)?.[1] ?? ''
  const bad = (kind: string) => Number(new RegExp(`\\b${kind}=(\\d+)`).exec(verdict)?.[1] ?? 0)
  const failed = bad('failures') + bad('errors') + bad('unexpected successes')
  return { passed: Math.max(0, ran - failed), failed }
}

function matches(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}
