/**
 * Fuzzes one target, or lists the targets.
 *
 *   npm run fuzz -- TARGET [--seconds N] [--seed N] [--keep]
 *   npm run fuzz -- shells [--seed N] [--lines N] [--shell NAME] [--replay FILE]
 *
 * Targets in TypeScript run here, those of ptyhost under clang's libFuzzer. Findings are written to
 * build/fuzz/findings/, reduced, and the exit code is 1. If an input ends the process itself, its batch is in
 * build/fuzz/trying-TARGET. With --keep, inputs that reached new code are added to the saved ones.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import { corpusFolder, readInputs, writeInput } from './corpus.ts'
import { fewest, fuzz } from './fuzzer.ts'
import { fuzzShells } from './shells/main.ts'
import type { Target } from './target.ts'
import { nativeTargets, targets } from './targets/index.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')
const native = path.join(root, 'native', 'ptyhost')
const secondsDefault = 60
const linesDefault = 1_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'boolean' },
    lines: { type: 'string' },
    shell: { type: 'string' },
    replay: { type: 'string' },
  },
})
const [name = ''] = positionals
const seconds = Number(values.seconds ?? secondsDefault)
const target = targets.get(name)
const nativeTarget = nativeTargets.get(name)
if (name === 'shells') {
  const hasFound = await fuzzShells({
    seed: Number(values.seed ?? process.pid),
    lines: Number(values.lines ?? linesDefault),
    shell: values.shell,
    replay: values.replay,
    findingsFolder: path.join(root, 'build', 'fuzz', 'findings', 'shells'),
  })
  process.exitCode = hasFound ? 1 : 0
} else if (!Number.isFinite(seconds) || (target === undefined && nativeTarget === undefined)) {
  const known = [...targets.keys(), ...nativeTargets.keys(), 'shells'].join(', ')
  process.stderr.write(`usage: npm run fuzz -- TARGET [--seconds N]\nTargets: ${known}.\n`)
  process.exitCode = 2
} else if (target !== undefined) {
  await fuzzHere(target)
} else if (nativeTarget !== undefined) {
  fuzzNative(nativeTarget)
}

async function fuzzHere(here: Target): Promise<void> {
  const seed = Number(values.seed ?? process.pid)
  const savedFolder = path.join(corpusFolder, here.name)
  const corpus = readInputs(savedFolder).map(({ input }) => input)
  const until = performance.now() + 1_000 * seconds
  const trying = path.join(root, 'build', 'fuzz', `trying-${here.name}`)
  mkdirSync(path.dirname(trying), { recursive: true })
  const report = await fuzz(here, {
    seed,
    corpus,
    goesOn: () => performance.now() < until,
    tries: (batch) =>
      writeFileSync(trying, batch.map((input) => Buffer.from(input).toString('latin1')).join('\n---\n')),
  })
  rmSync(trying)
  const { tried, blocks, finding } = report
  process.stdout.write(
    `${here.name}, seed ${seed}: ${tried} inputs, ${blocks} blocks, ${report.retained.length} saved\n`,
  )
  if (finding === null) {
    if (values.keep) for (const input of await fewest(here, corpus, report.retained)) writeInput(savedFolder, input)
    return
  }
  const file = writeInput(path.join(root, 'build', 'fuzz', 'findings', here.name), finding.input)
  process.stdout.write(`found: ${inspect(Buffer.from(finding.input).toString('latin1'))}\n${inspect(finding.error)}\n`)
  process.stdout.write(
    `The input is in ${path.relative(root, file)}; saved in ${path.relative(root, savedFolder)}/ it becomes a test.\n`,
  )
  process.exitCode = 1
}

function fuzzNative(here: string): void {
  run('make', ['-s', '-C', native, `build/fuzz/${here}`])
  const found = path.join(root, 'build', 'fuzz', 'findings', here)
  const grown = path.join(root, 'build', 'fuzz', 'corpus', here)
  for (const folder of [found, grown]) mkdirSync(folder, { recursive: true })
  const savedFolder = path.join(native, 'fuzz', 'corpus', here)
  const options = [`-max_total_time=${seconds}`, `-artifact_prefix=${found}/`, '-use_value_profile=1', '-max_len=4096']
  run(path.join(native, 'build', 'fuzz', here), [...options, '-timeout=10', grown, savedFolder])
  if (values.keep) {
    run(path.join(native, 'build', 'fuzz', here), [
      '-set_cover_merge=1',
      '-use_counters=0',
      '-max_len=300',
      savedFolder,
      grown,
    ])
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' })
  if (status === 0) return
  const hint = program === 'make' ? ' It needs clang and its fuzzer: clang and libclang-rt-14-dev in Debian.' : ''
  process.stderr.write(`${path.basename(program)} failed${error ? `: ${error.message}` : ''}.${hint}\n`)
  process.exit(1)
}
