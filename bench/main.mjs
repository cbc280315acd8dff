/**
 * The benchmark: agentpty and its peers, driven only through their public interfaces, in one table.
 *
 *   npm run bench                                    the default rows and peers, three repetitions
 *   npm run bench -- --only echo,ready --reps 1      some scenarios
 *   npm run bench -- --peers agentpty,tmux           some peers
 *   npm run bench -- --json results.json --n 50      raw numbers into a file; options of scenarios, like --n
 *
 * Repetitions are interleaved (A B C A B C), so that a slow minute of the machine hits every peer.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { rows } from './goals.mjs'
import { loadAverage } from './lib/measure.mjs'
import { benchRoot } from './lib/place.mjs'
import { makeTable } from './lib/table.mjs'

const defaultScenarios = ['cold', 'warm', 'create', 'echo', 'ready', 'loss', 'orphan']
const defaultPeers = ['agentpty', 'terminalcp', 'tmux', 'tmux-control', 'floor']
const cellLimitMs = 600_000

const { only, peers, reps, json, options } = readArguments()
const environment = {
  node: process.version,
  kernel: os.release(),
  cpus: os.cpus().length,
  load: loadAverage(),
  startedAt: new Date().toISOString(),
}
await installAll()

const results = []
for (let rep = 0; rep < reps; rep++) {
  for (const scenario of only) {
    for (const peer of peers) {
      progress(`${rep + 1}/${reps} ${scenario} ${peer}`)
      results.push({ rep, ...(await runCell(peer, scenario)) })
    }
  }
}
progress('')
report()

function report() {
  const { lines, missed } = makeTable({ rows, results, peers, goalPeer: 'agentpty' })
  const { node, kernel, cpus, load } = environment
  const about = `p50 / p99 over ${reps} interleaved repetitions. Node ${node}, kernel ${kernel}, ${cpus} CPUs, load ${load} → ${loadAverage()}`
  process.stdout.write(`\n${lines.join('\n')}\n\n${about}\n`)
  for (const { peer, scenario, result } of results) {
    if (result.error) process.stdout.write(`failed: ${peer} ${scenario}: ${result.error}\n`)
  }
  if (missed > 0) process.stdout.write(`${missed} goals missed\n`)

  const file = path.resolve(
    json ?? path.join(benchRoot, 'results', `${environment.startedAt.replace(/[:.]/g, '-')}.json`),
  )
  mkdirSync(path.dirname(file), { recursive: true })
  const record = {
    ...environment,
    loadAfter: loadAverage(),
    peers,
    scenarios: only,
    reps,
    options,
    results,
    table: lines,
  }
  writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`)
  process.stdout.write(`raw numbers: ${path.relative(process.cwd(), file)}\n`)
  process.exitCode = missed > 0 || results.some(({ result }) => result.error) ? 1 : 0
}

async function installAll() {
  for (const peer of peers) {
    const { install } = await import(`./peers/${peer}.mjs`)
    install?.()
  }
}

/** A cell that crashes or hangs is a result too: the others go on. */
function runCell(peer, scenario) {
  return new Promise((resolve) => {
    const args = [path.join(benchRoot, 'run-cell.mjs'), peer, scenario, JSON.stringify(options)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    const timer = setTimeout(() => child.kill('SIGTERM'), cellLimitMs)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const line = text.trim().split('\n').at(-1)
      if (line?.startsWith('{')) resolve(JSON.parse(line))
      else resolve({ peer, scenario, result: { error: `ended without a result (${signal ?? code})` } })
    })
  })
}

function readArguments() {
  const text = { type: 'string' }
  const named = { only: text, peers: text, reps: text, json: text }
  const numbers = ['n', 'runs', 'gap', 'limit', 'budget', 'settle', 'idle', 'echoes', 'atOnce']
  const lists = ['sizes', 'ns', 'kinds']
  const extra = Object.fromEntries([...numbers, ...lists, 'dump'].map((name) => [name, text]))
  const { values } = parseArgs({ options: { ...named, ...extra } })

  const options = {}
  for (const name of numbers) if (values[name]) options[name] = Number(values[name])
  for (const name of lists)
    if (values[name]) options[name] = values[name].split(',').map((one) => (name === 'kinds' ? one : Number(one)))
  if (values.dump) options.dump = path.resolve(values.dump)
  return {
    only: choose('scenarios', values.only, defaultScenarios),
    peers: choose('peers', values.peers, defaultPeers),
    reps: Number(values.reps ?? 3),
    json: values.json,
    options,
  }
}

/** A comma list of names, each a file of that folder; `all` is every one. */
function choose(folder, wanted, byDefault) {
  if (!wanted) return byDefault
  const known = readdirSync(path.join(benchRoot, folder)).map((file) => path.basename(file, '.mjs'))
  if (wanted === 'all') return known
  const names = wanted.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return names
  process.stderr.write(`bench: no ${folder} ${unknown.join(', ')}; there are: ${known.join(', ')}\n`)
  process.exit(2)
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text) process.stderr.write(`bench: ${text}\n`)
}
