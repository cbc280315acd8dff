/** The physical floor: a C program that does forkpty, poll and read, and runs whole scenarios itself. See floor/floor.c. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { now, round, sleep, stats } from '../lib/measure.mjs'
import { cpuMs, descendants, descriptors, pssKb } from '../lib/processes.mjs'
import { benchRoot, rcFile } from '../lib/workspace.mjs'
import { floodsFor } from '../scenarios/flood.mjs'
import { filesFor } from '../scenarios/loss.mjs'
import { promptTimes } from '../scenarios/ready.mjs'

const source = path.join(benchRoot, 'floor', 'floor.c')
const program = path.join(benchRoot, '.peers', 'floor')

export function install() {
  if (existsSync(program) && statSync(program).mtimeMs >= statSync(source).mtimeMs) return
  mkdirSync(path.dirname(program), { recursive: true })
  execFileSync('cc', ['-O2', '-o', program, source, '-lutil'])
}

export async function make({ home }) {
  return {
    scenarios: {
      cold: ({ n }) => ({ ms: stats(Array.from({ length: n }, () => timed(() => run(['create', 1])))) }),
      create: ({ n }) => ({ ms: stats(run(['create', n]).ms) }),
      echo({ n }) {
        const { ms, cpu } = run(['echo', n])
        return { ms: stats(ms), cpuMsPerCommand: cpu }
      },
      ready({ n }) {
        const stampFile = path.join(home, 'prompts')
        const { reported } = run(['ready', n], { BENCH_TS: stampFile })
        const truth = promptTimes(stampFile).slice(1)
        const how = 'the prompt on the stream'
        return { ms: stats(reported.map((time, index) => time - truth[index])), falseReady: 0, n, how }
      },
      loss: ({ runs, sizes }) =>
        Object.fromEntries(
          filesFor(sizes).map(({ size, path: file, want }) => {
            const { bad, wall } = run(['loss', runs, file, want])
            return [size, { incomplete: bad, runs, wallMs: wall }]
          }),
        ),
      flood: ({ kinds }) => Object.fromEntries(floodsFor(kinds).map((flood) => [flood.kind, floodResult(flood)])),
      scale,
      leak,
    },
  }
}

function run(args, extra = {}) {
  const options = { maxBuffer: 1 << 28, timeout: 120_000, env: { ...process.env, ...extra } }
  return JSON.parse(execFileSync(program, [rcFile, ...args.map(String)], options).toString())
}

function timed(action) {
  const startedAt = now()
  action()
  return now() - startedAt
}

/** Its bytes end somewhere between the marker and the prompt, so a loss smaller than that would not be seen. */
function floodResult({ command, bytes, lines }) {
  const result = run(['flood', command])
  return {
    wallMs: result.wall,
    megabytesPerSecond: round(bytes / 1e3 / result.wall, 1),
    rssPeakMb: round(result.rssKb / 1024, 1),
    cpuMs: result.cpu,
    bytesUnaccounted: Math.max(0, bytes + lines - result.bytes),
    neighbour: stats(result.echo),
  }
}

async function scale({ ns, settle, idle }) {
  const results = {}
  for (const n of ns) {
    const { child, result } = await resident(['scale', n])
    await sleep(settle)
    const cpuBefore = cpuMs([child.pid])
    await sleep(idle)
    results[n] = {
      createMs: result.create,
      allPromptsMs: result.allPrompts,
      pssPerSessionKb: round(pssKb([child.pid]) / n, 1),
      idleCpuPercent: round(((cpuMs([child.pid]) - cpuBefore) / idle) * 100, 3),
      echo: stats(result.echo),
    }
    child.stdin.end()
    await once(child, 'exit')
  }
  return results
}

async function leak({ n }) {
  const { child, result } = await resident(['leak', n])
  const left = { descriptors: descriptors([child.pid]) - 3, processes: descendants([child.pid]).length }
  child.kill()
  return { cycles: n, of: n, wallMs: result.wall, ...left }
}

/** The program prints its result and then stays, so that it can be measured. */
function resident(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [rcFile, ...args.map(String)])
    let text = ''
    child.on('error', reject)
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve({ child, result: JSON.parse(text) })
    })
  })
}
