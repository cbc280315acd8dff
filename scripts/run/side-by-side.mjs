/**
 * Runs scripts of package.json beside each other. The output of each is printed whole when it has ended, with its duration.
 *
 *   node scripts/run/side-by-side.mjs NAME...
 *
 * The exit code is 1 if any has failed; the last line names those.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

const runner = new URL('../run.mjs', import.meta.url).pathname

/** Resolves to whether the script has succeeded. */
function runScript(name) {
  const began = performance.now()
  const chunks = []
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [runner, name], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      process.stdout.write(`\n### ${name}: ${code === 0 ? '' : 'FAILED after '}${seconds} s\n`)
      process.stdout.write(Buffer.concat(chunks))
      resolve(code === 0)
    })
  })
}

const names = process.argv.slice(2)
const outcomes = await Promise.all(names.map(async (name) => ({ name, isClean: await runScript(name) })))
const failed = outcomes.filter(({ isClean }) => !isClean).map(({ name }) => name)
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
