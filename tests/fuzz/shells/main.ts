/** The command line of the shells' fuzz test: `npm run fuzz -- shells`. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { openTerminals } from 'agentpty'
import { Case, textOf } from './case.ts'
import { findShell, runCase } from './driver.ts'
import { fuzzShell } from './fuzz-shells.ts'
import type { Shrunk } from './shrink.ts'

export const shellNames = ['bash', 'zsh', 'fish', 'dash', 'mksh', 'busybox'] as const

export interface ShellsCommand {
  readonly seed: number
  readonly lines: number
  readonly shell: string | undefined
  readonly replay: string | undefined
  readonly findingsFolder: string
}

/** Most calls wait for the shell's output, which takes no processor time. */
export const terminalsAtOnce = 8
export const installHint = (shell: string) => `In Debian: apt-get install ${shell}`
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Resolves to whether anything was found. */
export async function fuzzShells({ seed, lines, shell, replay, findingsFolder }: ShellsCommand): Promise<boolean> {
  const terminals = await openTerminals()
  try {
    if (replay !== undefined) {
      const tested = Case.parse(JSON.parse(readFileSync(replay, 'utf8')))
      const outcome = await runCase(terminals, tested)
      print(report({ tested, outcome }))
      print(outcome.screen)
      return outcome.violations.length > 0
    }
    let hasFound = false
    for (const name of shell === undefined ? shellNames : [shell]) {
      if (findShell(name) === null) {
        print(`${name}: skipped, it is not installed. ${installHint(name)}`)
        continue
      }
      const found = (finding: Shrunk) => {
        mkdirSync(findingsFolder, { recursive: true })
        const file = path.join(findingsFolder, `${name}-${finding.tested.seed}.json`)
        writeFileSync(file, `${JSON.stringify(finding.tested, null, 1)}\n`)
        print(`${report(finding)}\nRun it again: npm run fuzz -- shells --replay ${path.relative(process.cwd(), file)}`)
      }
      const done = await fuzzShell(terminals, { shell: name, seed, lines, terminalsAtOnce, found })
      const speed = (done.lines / done.seconds).toFixed(1)
      print(
        `${name}, seed ${seed}: ${done.lines} lines in ${done.calls} calls, ${done.refused} refused, ${done.ran} programs ran, ` +
          `${speed} lines a second, ${done.findings.length} violations`,
      )
      hasFound ||= done.findings.length > 0
    }
    return hasFound
  } finally {
    await terminals.close()
  }
}

/** A violation with its steps, for a person. */
export function report({ tested, outcome }: Shrunk): string {
  const steps = tested.steps.map((step, at) => {
    const error = outcome.errors[at]
    const enters = 'send' in step && step.newline ? ' and Enter' : ''
    const what =
      'keys' in step ? `keys ${step.keys.join(' ')}` : `${Object.keys(step)[0]} ${JSON.stringify(textOf(step))}`
    const result = error === undefined ? 'not typed' : (error ?? 'allowed')
    return `  ${what}${enters} (waits ${step.waitMs} ms): ${result}`
  })
  const problems = outcome.violations.length === 0 ? ['nothing was violated'] : outcome.violations
  return [`${tested.shell}, seed ${tested.seed}: ${problems.join('; ')}`, ...steps].join('\n')
}
