/**
 * Fuzzes every target, one after the other, each in a process of its own: an input that ends its process does not end the others.
 *
 *   npm run fuzz:all [-- --seconds N] [--lines N] [--seed N]
 *
 * The exit code is 1 if any target has found something. Targets of ptyhost are skipped without clang.
 */

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { nativeTargets, targets } from './targets/index.ts'

const secondsDefault = 600
const linesDefault = 10_000

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, lines: { type: 'string' }, seed: { type: 'string' } },
})
const seconds = values.seconds ?? String(secondsDefault)
const lines = values.lines ?? String(linesDefault)
const seed = values.seed ?? String(process.pid)
const print = (line: string) => process.stdout.write(`${line}\n`)

const hasClang = spawnSync('clang', ['--version'], { stdio: 'ignore' }).status === 0
if (!hasClang) print(`${[...nativeTargets.keys()].join(', ')}: skipped, clang is not installed.`)

const calls = [
  ...[...targets.keys(), ...(hasClang ? nativeTargets.keys() : [])].map((name) => [name, '--seconds', seconds]),
  ['shells', '--lines', lines],
]
const failed = calls.filter((call) => !succeeds(call)).map(([name]) => name)
print(failed.length === 0 ? `${calls.length} targets, nothing found` : `Found something: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function succeeds(call: readonly string[]): boolean {
  print(`\n=== ${call.join(' ')} --seed ${seed} ===`)
  const main = path.join(import.meta.dirname, 'main.ts')
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', main, ...call, '--seed', seed], {
    stdio: 'inherit',
  })
  return status === 0
}
