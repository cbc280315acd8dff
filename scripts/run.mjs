/**
 * Runs a script of package.json by the table in run/table.mjs. `--help` and errors are handled before anything starts,
 * and before any package is installed. Hence plain Node.
 *
 *   node scripts/run.mjs NAME [ARGUMENT...]
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { helpOf, problemWith } from './run/arguments.mjs'
import { scripts } from './run/table.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const [name = '', ...args] = process.argv.slice(2)
const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined

if (script === undefined) end(`there is no script "${name}". There are: ${Object.keys(scripts).join(', ')}.`)
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(helpOf(name, script))
  process.exit(0)
}
const problem = problemWith(script, args)
const call = name === 'test' ? 'npm test' : `npm run ${name}`
if (problem !== null) end(`${call}: ${problem}. See: ${call} -- --help`)

const ready = { product: [], demo: ['--for=demo'], build: ['--for=build'], packages: ['--deps-only'] }[script.needs]
if (ready !== undefined) run(['node', 'scripts/bootstrap.mjs', ...ready])
for (const step of script.steps.slice(0, -1)) run(step)
run([...script.steps.at(-1), ...args])

function run([program, ...rest]) {
  const file = program === 'node' ? process.execPath : program.includes('/') ? path.join(root, program) : program
  const { status, signal, error } = spawnSync(file, rest, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...script.env },
  })
  if (error !== undefined) end(`${call}: ${program} cannot be run: ${error.message}. Install what is missing: npm ci`)
  if (status !== 0) process.exit(signal === null ? status : 1)
}

function end(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}
