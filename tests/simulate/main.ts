/**
 * Simulates the engine with random clients, programs, delays and restarts, without processes and without real time.
 *
 *   npm run simulate -- SEED [--steps N] [--runs N]     runs N seeds from SEED on; exit code 1 after a violation
 *
 * A failure is reported with its seed, the step after which it was seen, and the fewest steps that reproduce it.
 */

import process from 'node:process'
import { parseArgs } from 'node:util'
import { shrink } from '../harness/shrink.ts'
import { type Run, simulate } from './run.ts'
import { drawSteps, type Step, withMessages } from './steps.ts'

const stepsDefault = 300
const shrinkTriesMax = 600

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string' }, runs: { type: 'string' } },
})
const first = wholeNumber(positionals[0] ?? '1', 'SEED')
const count = wholeNumber(values.steps ?? String(stepsDefault), '--steps')
const runs = wholeNumber(values.runs ?? '1', '--runs')
let failed = 0
for (let seed = first; seed < first + runs; seed++) {
  const steps = withMessages(seed, drawSteps(seed, count))
  const run = await simulate(seed, steps)
  if (run.failure === null) say(`seed ${seed}: ${count} steps hold, trace ${run.fingerprint}`)
  else await explain(seed, steps, run)
}
if (failed > 0) process.exitCode = 1

async function explain(seed: number, steps: readonly Step[], run: Run): Promise<void> {
  failed += 1
  const { failure } = run
  say(`seed ${seed}, step ${failure?.step} of ${count}: ${failure?.message}`)
  const isSame = async (fewer: readonly Step[]) => {
    const other = await simulate(seed, fewer)
    return other.failure !== null && other.failure.invariant === failure?.invariant
  }
  const fewest = await shrink(steps, isSame, shrinkTriesMax)
  const { trace } = await simulate(seed, fewest)
  say(`the fewest steps that show it, ${fewest.length}:`)
  for (const line of trace) say(line.length > 400 ? `${line.slice(0, 400)} …` : line)
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    process.stderr.write(`${name} is "${text}"; give a whole number, for example: npm run simulate -- 1 --runs 10\n`)
    process.exit(2)
  }
  return Number(text)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
