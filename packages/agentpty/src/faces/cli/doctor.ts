/** Finds what is wrong, and says what to do about it. */

import { isTermError } from '../../contracts/errors.ts'

export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found. */
  readonly found: string
  /** What to do; empty when nothing. */
  readonly advice: string
}

export interface DoctorOptions {
  readonly checks: readonly (() => Promise<Check>)[]
  readonly print: (text: string) => void
  readonly json: boolean
}

export async function runDoctor({ checks, print, json }: DoctorOptions): Promise<boolean> {
  const results: Check[] = []
  for (const check of checks) results.push(await check())
  if (json) print(`${JSON.stringify({ ok: results.every(({ ok }) => ok), checks: results })}\n`)
  else
    for (const { name, ok, found, advice } of results)
      print(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${found}\n${advice === '' ? '' : `      ${advice}\n`}`)
  return results.every(({ ok }) => ok)
}

/** A check that cannot throw: what it trips over is what it found. */
export function check(name: string, advice: string, look: () => string | Promise<string>): () => Promise<Check> {
  return async () => {
    try {
      return { name, ok: true, found: await look(), advice: '' }
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error)
      // What helps against a missing ptyhost depends on the machine: the error knows better.
      const isMissing = isTermError(error) && error.code === 'host_missing'
      return { name, ok: false, found, advice: isMissing ? error.hint : advice }
    }
  }
}
