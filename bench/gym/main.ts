/**
 * Environments against their goals on this machine: a step, each kind of reset, many at the same time, and the steps of many per second; for
 * comparison, the equivalent of a step in other systems.
 *
 *   npm run bench:gym                     all of it; some ten minutes
 *   npm run bench:gym -- --only step,reset
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from '../page/scene.ts'
import { leftovers } from './leftovers.ts'
import { atOnce, resets, staleness, steps, throughput } from './measures.ts'
import { rivals } from './rivals.ts'
import { traces } from './traces.ts'

const measures: Readonly<Record<string, (files: string) => Promise<string>>> = {
  step: steps,
  reset: resets,
  'at-once': atOnce,
  throughput,
  stale: staleness,
  traces,
  leftovers,
  rivals,
}

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(measures).join(',') } } })
const say = (text: string) => void process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'agentpty-bench-gym-'))
try {
  const files = join(folder, 'files')
  // 50 MB in 2,000 files.
  for (let number = 0; number < 2_000; number++) {
    mkdirSync(join(files, `d${number % 40}`), { recursive: true })
    writeFileSync(join(files, `d${number % 40}`, `f${number}`), Buffer.alloc(26_214, number % 251))
  }
  for (const name of values.only.split(',')) {
    const measure = measures[name]
    if (measure === undefined) throw new Error(`${name} is none of: ${Object.keys(measures).join(', ')}`)
    say(`${name}: ${await measure(files)}`)
    say(`load of the machine: ${load()}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
