/**
 * The benchmark: agentpty and its peers, driven only through their public interfaces, in one table.
 *
 *   npm run bench                                    the default rows and peers, three repetitions
 *   npm run bench -- --only echo,ready --reps 1      some scenarios
 *   npm run bench -- --peers agentpty,tmux           some peers
 *   npm run bench -- --json results.json --n 50      raw numbers into a file; options of scenarios, like --n
 *   npm run bench -- --write docs/bench.md FILE...   nothing is measured: a page of what was measured before
 *
 * Repetitions are interleaved (A B C A B C), so that a slow minute of the machine hits every peer.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rows } from './goals.mjs'
import { readArguments } from './lib/arguments.mjs'
import { describeMachine, loadAverage } from './lib/measure.mjs'
import { writePage } from './lib/page.mjs'
import { alignedLines, makeTable } from './lib/table.mjs'
import { benchRoot } from './lib/workspace.mjs'

const cellLimitMs = 600_000

const { only, peers, reps, json, options, write, files } = readArguments(process.argv.slice(2))
if (write) {
  const records = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(write, writePage({ rows, records }))
  process.stdout.write(`bench: wrote ${path.relative(process.cwd(), write)}\n`)
} else await measureAll()

async function measureAll() {
  const record = { ...describeMachine(), load: loadAverage(), startedAt: new Date().toISOString() }
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
  report({ ...record, loadAfter: loadAverage(), peers, scenarios: only, reps, options, results })
}

function report(record) {
  const { cells, met, missed, failed } = makeTable({ rows, results: record.results, peers })
  const table = alignedLines(cells)
  const { node, kernel, cpus, load, loadAfter } = record
  const about = `p50 / p99 over ${reps} interleaved repetitions. Node ${node}, kernel ${kernel}, ${cpus} CPUs, load ${load} → ${loadAfter}`
  const lines = [
    ...table,
    '',
    about,
    ...failed.map((text) => `failed: ${text}`),
    ...missed.map((text) => `missed: ${text}`),
  ]
  process.stdout.write(`\n${lines.join('\n')}\n${met.length} of ${met.length + missed.length} goals met\n`)

  const file = path.resolve(json ?? path.join(benchRoot, 'results', `${record.startedAt.replace(/[:.]/g, '-')}.json`))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...record, table }, null, 1)}\n`)
  process.stdout.write(`raw numbers: ${path.relative(process.cwd(), file)}\n`)
  process.exitCode = missed.length + failed.length > 0 ? 1 : 0
}

async function installAll() {
  for (const peer of peers) {
    const { install } = await import(`./peers/${peer}.mjs`)
    install?.()
  }
}

/** A cell that crashes or hangs is a result too: the others continue. */
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

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text) process.stderr.write(`bench: ${text}\n`)
}
