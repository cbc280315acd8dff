/** The command line of the benchmark. Any error ends it with the valid choices. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { benchRoot } from './workspace.mjs'

const defaultScenarios = ['cold', 'warm', 'create', 'echo', 'ready', 'loss', 'orphan']
const defaultPeers = ['agentpty', 'agentpty-socket', 'terminalcp', 'tmux', 'tmux-control', 'floor']

/** The options of scenarios, by the type of their value. */
const numbers = ['n', 'runs', 'gap', 'traced', 'limit', 'budget', 'settle', 'idle', 'echoes', 'atOnce', 'warmUp']
const lists = ['sizes', 'ns', 'kinds']

export function readArguments(args) {
  const text = { type: 'string' }
  const names = ['only', 'peers', 'reps', 'json', 'write', ...numbers, ...lists, 'dump']
  const options = Object.fromEntries(names.map((name) => [name, text]))
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.write && positionals.length === 0) misused('--write needs the JSON files of the runs to write about')
  if (!values.write && positionals.length > 0) misused(`"${positionals[0]}" is no option; see bench/README.md`)
  return {
    only: choose('scenarios', values.only, defaultScenarios),
    peers: choose('peers', values.peers, defaultPeers),
    reps: Number(values.reps ?? 3),
    json: values.json,
    write: values.write && path.resolve(values.write),
    files: positionals,
    options: scenarioOptions(values),
  }
}

function scenarioOptions(values) {
  const options = {}
  for (const name of numbers) if (values[name]) options[name] = Number(values[name])
  for (const name of lists) {
    if (values[name]) options[name] = values[name].split(',').map((one) => (name === 'kinds' ? one : Number(one)))
  }
  if (values.dump) options.dump = path.resolve(values.dump)
  return options
}

/** A comma list of names, each a file of that folder; `all` is every one. */
function choose(folder, wanted, byDefault) {
  if (!wanted) return byDefault
  const known = readdirSync(path.join(benchRoot, folder)).map((file) => path.basename(file, '.mjs'))
  if (wanted === 'all') return known
  const names = wanted.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) misused(`no ${folder} ${unknown.join(', ')}; there are: ${known.join(', ')}`)
  return names
}

function misused(why) {
  process.stderr.write(`bench: ${why}\n`)
  process.exit(2)
}
