/**
 * Runs every suite and ends with the failed tests, each on a line, and then one line, `N passed, N failed`: the sum over all suites.
 *
 * A suite's output passes through immediately; the counts are read from it. A suite that fails without naming a failed
 * test (it crashed, it found no tests) counts as one failed, so a green line means that everything ran.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Count, countTap, countUnittest, countVitest, nothing } from './test/counts.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const scratch = mkdtempSync(path.join(tmpdir(), 'agentpty-test-'))

interface Suite {
  readonly title: string
  readonly run: () => Promise<Count>
}

const suites: readonly Suite[] = [
  { title: 'ptyhost (C)', run: () => outputSuite('make', ['-C', 'native/ptyhost', 'test'], countTap) },
  { title: 'unit', run: () => vitestSuite('unit', 'fuzz') },
  { title: 'system', run: () => vitestSuite('system') },
  ...(existsSync(path.join(root, 'python')) ? [pythonSuite()] : []),
]

const total = { passed: 0, failed: 0, failures: [] as string[] }
try {
  for (const { title, run } of suites) {
    process.stdout.write(`\n=== ${title} ===\n`)
    const { passed, failed, failures } = await run()
    total.passed += passed
    total.failed += failed
    total.failures.push(...failures.map((failure) => `${title}: ${failure}`))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of total.failures) process.stdout.write(`\n✗ ${failure}`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed > 0 ? 1 : 0)

function pythonSuite(): Suite {
  const args = ['-m', 'unittest', 'discover', '-v', '-s', 'python/tests']
  return { title: 'python', run: () => outputSuite('python3', args, countUnittest) }
}

async function outputSuite(program: string, args: readonly string[], count: (output: string) => Count): Promise<Count> {
  const { output, ok } = await passThrough(program, args)
  return withCrash(count(output), ok)
}

async function vitestSuite(...projects: readonly string[]): Promise<Count> {
  const report = path.join(scratch, `${projects[0]}.json`)
  const vitest = path.join(root, 'node_modules', '.bin', 'vitest')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { ok } = await passThrough(vitest, [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    ...reporters,
  ])
  return withCrash(existsSync(report) ? countVitest(readFileSync(report, 'utf8')) : nothing, ok)
}

function withCrash(count: Count, ok: boolean): Count {
  return ok || count.failed > 0 ? count : { ...count, failed: 1, failures: ['it crashed, or found no tests'] }
}

/** Both streams go to the terminal and into one text; a program that cannot be started counts as failed. */
function passThrough(program: string, args: readonly string[]): Promise<{ output: string; ok: boolean }> {
  return new Promise((settle) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    const forward = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      chunks.push(chunk)
      to.write(chunk)
    }
    child.stdout.on('data', forward(process.stdout))
    child.stderr.on('data', forward(process.stderr))
    child.on('error', (error) => process.stderr.write(`${program}: ${error.message}\n`))
    child.on('close', (code) => settle({ output: Buffer.concat(chunks).toString(), ok: code === 0 }))
  })
}
