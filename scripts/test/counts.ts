/** Reads passed and failed counts from the output of the different test runners. */

import path from 'node:path'
import process from 'node:process'

export interface Count {
  readonly passed: number
  readonly failed: number
  /** One line each: the failed test, and its first message. */
  readonly failures: readonly string[]
}

export const nothing: Count = { passed: 0, failed: 0, failures: [] }

/** TAP: `ok 1 - reads` and `not ok 2 - writes`. */
export function countTap(output: string): Count {
  const failures = [...output.matchAll(/^not ok \d+.*/gm)].map(([line]) => line)
  return { passed: [...output.matchAll(/^ok \d+/gm)].length, failed: failures.length, failures }
}

/** A file that could not be loaded has no tests; each such file is one more failure. */
export function countVitest(json: string): Count {
  const report = JSON.parse(json) as VitestReport
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failedTests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map((test) => ({ name, ...test })),
  )
  const failures = [
    ...failedTests.map(({ name, fullName, failureMessages }) => failure(name, fullName, failureMessages?.[0])),
    ...unloaded.map(({ name, message }) => failure(name, 'could not be loaded', message)),
  ]
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length, failures }
}

function failure(file: string, test: string, message = ''): string {
  const [first = ''] = message.split('\n')
  return `${path.relative(process.cwd(), file)} > ${test}: ${first.slice(0, 300)}`
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly VitestResult[]
  }[]
}

interface VitestResult {
  readonly fullName: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}

/** Python's unittest: `Ran 12 tests in 0.1s`, then `OK` or `FAILED (failures=1, errors=2)`. */
export function countUnittest(output: string): Count {
  const ran = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0)
  const verdict = /^FAILED \((.*)\)$/m.exec(output)?.[1] ?? ''
  const bad = (kind: string) => Number(new RegExp(`\\b${kind}=(\\d+)`).exec(verdict)?.[1] ?? 0)
  const failed = bad('failures') + bad('errors') + bad('unexpected successes')
  const failures = [...output.matchAll(/^(?:FAIL|ERROR|UNEXPECTED SUCCESS): .*/gm)].map(([line]) => line)
  return { passed: Math.max(0, ran - failed), failed, failures }
}
