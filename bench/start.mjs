/**
 * The time until `agentpty mcp` answers its first message: with and without a running daemon, on an idle
 * machine and on one with four busy loops.
 *
 *   npm run bench:start [-- --runs 11]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '11' } } })
const program = path.resolve('packages/agentpty/bin/agentpty.js')
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`

/** Milliseconds from its start to its answer. */
async function answerMs(env) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.write(initialize)
  await once(child.stdout, 'data')
  const ms = performance.now() - startedAt
  child.stdin.end()
  await once(child, 'exit')
  return ms
}

async function measure(runs) {
  const cold = []
  const warm = []
  for (let run = 0; run < runs; run++) {
    const home = mkdtempSync(path.join(tmpdir(), 'agentpty-start-'))
    const env = { ...process.env, HOME: home, AGENTPTY_HOME: path.join(home, 'agentpty') }
    cold.push(await answerMs(env))
    warm.push(await answerMs(env))
    spawnSync(process.execPath, [program, 'stop', '--all'], { env })
    rmSync(home, { recursive: true, force: true })
  }
  return { cold, warm }
}

const summaryOf = (times) => {
  const sorted = times.toSorted((a, b) => a - b).map((ms) => Math.round(ms))
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, ${sorted[0]} to ${sorted.at(-1)}`
}

async function report(title, runs) {
  const { cold, warm } = await measure(runs)
  console.log(`${title}\n  a daemon runs    ${summaryOf(warm)}\n  none runs yet    ${summaryOf(cold)}`)
}

const runs = Number(values.runs)
await report('at rest', runs)
const loops = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
try {
  await report('four busy loops', runs)
} finally {
  for (const loop of loops) loop.kill('SIGKILL')
}
