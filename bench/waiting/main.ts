/**
 * Measures how well agentpty detects turns. Plays scenarios of real programs as an ordinary user with the product's
 * library; the kernel's own trace of waiting threads is the truth.
 *
 *   npm run bench:waiting -- [--scenarios SET]... [--detector agentpty|all] [--repeat N]
 *                            [--interval real|busy-machine] [--gate off|journal|ask] [--only REGEX] [--json FILE]
 *                            [--lanes N]
 */

import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { baselines, rawModeOrHook, toDecision } from './baselines.ts'
import { openEnvironment, setUp } from './environment.ts'
import { playInLanes } from './lanes.ts'
import { openPlayers, type Players } from './players.ts'
import { type Failure, report } from './report.ts'
import { fillScenario, findSets, loadScenarios, type Scenario } from './scenario.ts'
import { type Scored, score, summarize, truthOf } from './score.ts'
import type { Trace } from './trace.ts'
import { Truth } from './truth.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const log = (text: string) => process.stderr.write(`${text}\n`)

const { values: options } = parseArgs({
  options: {
    scenarios: { type: 'string', multiple: true },
    detector: { type: 'string', default: 'agentpty' },
    repeat: { type: 'string', default: '1' },
    interval: { type: 'string', default: 'real' },
    gate: { type: 'string', default: 'off' },
    lanes: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    trace: { type: 'string' },
  },
})

const sets = new Set((options.scenarios ?? [join(folder, 'scenarios')]).flatMap(findSets))
const scenarios = loadScenarios([...sets]).filter(({ id }) => new RegExp(options.only ?? '').test(id))
if (scenarios.length === 0) throw new Error('no scenario fits')

/** One burner for each core. */
function loadMachine(): () => void {
  const burn = 'for(;;);'
  const burners = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', burn]))
  return () => {
    for (const burner of burners) burner.kill('SIGKILL')
  }
}

/** Bundles the player and copies the built product to a folder that any user can read. The player imports the product as its users do. */
async function preparePlayer(runs: string): Promise<string> {
  const product = join(folder, '..', '..', 'packages', 'agentpty')
  const target = join(runs, 'player')
  mkdirSync(join(target, 'node_modules', 'agentpty'), { recursive: true })
  for (const part of ['dist', 'shell-integration', 'package.json'])
    cpSync(join(product, part), join(target, 'node_modules', 'agentpty', part), { recursive: true })
  const zod = join(folder, '..', '..', 'node_modules', 'zod')
  if (existsSync(zod)) cpSync(zod, join(target, 'node_modules', 'zod'), { recursive: true })
  await build({
    entryPoints: [join(folder, 'player.ts')],
    outfile: join(target, 'player.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['agentpty'],
    logLevel: 'error',
  })
  return join(target, 'player.mjs')
}

interface Played {
  readonly scenario: Scenario
  readonly trace: Trace
}

/** The slowest baseline decides after 2 s of quiet. */
const lingerMs = options.detector === 'all' ? 2_150 : 60

/** Baselines and a busy machine are measured one scenario at a time. */
const isAlone = options.detector === 'all' || options.interval === 'busy-machine'
const lanes = Number(options.lanes ?? (isAlone ? 1 : 4))
if (!Number.isInteger(lanes) || lanes < 1) throw new Error('--lanes takes a whole number from 1 on')

const environment = await openEnvironment({ folder, scenarios, log })
const truth = await Truth.start(folder, log)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    truth?.stop()
    environment.close()
    process.exit(130)
  })
}
const unload = options.interval === 'busy-machine' ? loadMachine() : () => {}
const played: Played[] = []
const hooked: Played[] = []
const failures: Failure[] = []
let costs = { samples: 0, cpuUs: 0 }

try {
  const script = await preparePlayer(environment.runs)
  const players = Array.from({ length: lanes }, (_, lane) => openPlayers(environment, script, lane))
  const passes = options.detector === 'all' ? [false, true] : [false]
  for (const withHook of passes)
    for (let round = 0; round < Number(options.repeat); round++) {
      let ended = 0
      await playInLanes(scenarios, lanes, async (lane, index) => {
        const unique = `${process.pid}${round}${withHook ? 'h' : ''}${index}`
        const reason = await play(players[lane] as Players, { raw: scenarios[index] as Scenario, unique, withHook })
        const { id } = scenarios[index] as Scenario
        if (reason !== null) failures.push({ id, reason })
        const failed = reason === null ? '' : ` FAILED: ${reason}`
        log(`${withHook ? 'hook ' : ''}${++ended}/${scenarios.length} ${id}${failed}`)
      })
    }
  for (const lane of players) {
    const { samples, cpuUs } = await lane.close()
    costs = { samples: costs.samples + samples, cpuUs: costs.cpuUs + cpuUs }
  }
} finally {
  unload()
  // The tracer's last lines are still on their way.
  await new Promise((resolve) => setTimeout(resolve, truth === null ? 0 : 1_000))
  truth?.stop()
  environment.close()
}

interface Turn {
  readonly raw: Scenario
  readonly unique: string
  readonly withHook: boolean
}

/** Returns why the scenario could not be played; null when it was. */
async function play(players: Players, { raw, unique, withHook }: Turn): Promise<string | null> {
  const scenario = fillScenario(raw, { ...environment.variables, UNIQ: unique })
  try {
    setUp({ ...scenario, setup: raw.setup === null ? null : fillSetup(raw.setup, unique) }, environment.variables)
    const trace = await players.play(scenario, { withHook, lingerMs, gate: options.gate })
    if (trace.failure === null) (withHook ? hooked : played).push({ scenario, trace })
    return trace.failure
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function fillSetup(text: string, unique: string): string {
  const [scenario] = scenarios as [Scenario]
  return fillScenario({ ...scenario, argv: [text] }, { ...environment.variables, UNIQ: unique }).argv[0] ?? ''
}

const scoreAll = (runs: readonly Played[], decide: (trace: Trace, index: number) => ReturnType<typeof toDecision>) =>
  runs.flatMap(({ scenario, trace }) =>
    score(
      scenario,
      trace,
      (_phase, index) => decide(trace, index),
      (phase, phaseTrace) =>
        truthOf(phase, phaseTrace, truth?.waitOf(trace.pts, phase, phaseTrace, trace.openedAt) ?? null),
    ),
  )

const ours: readonly Scored[] = scoreAll(played, (trace, index) => trace.phases[index]?.decision ?? null)
const ourSummary = summarize(ours)
const detectors = {
  agentpty: {
    ...ourSummary,
    cpuUsPerDecision: costs.cpuUs / Math.max(1, ourSummary.decisions),
    samples: costs.samples,
  },
  ...Object.fromEntries(
    Object.entries(options.detector === 'all' ? baselines : {}).map(([name, baseline]) => [
      name,
      summarize(
        scoreAll(played, (trace, index) => {
          const phase = trace.phases[index]
          return toDecision(phase === undefined ? null : baseline(trace, phase))
        }),
      ),
    ]),
  ),
  ...(hooked.length === 0
    ? {}
    : {
        'raw mode or preloaded hook': summarize(
          scoreAll(hooked, (trace, index) => {
            const phase = trace.phases[index]
            return toDecision(phase === undefined ? null : rawModeOrHook(trace, phase))
          }),
        ),
      }),
}

process.stdout.write(report({ detectors, scored: ours, failures, traced: truth !== null, scenarios }))
if (options.json !== undefined) {
  const rows = ours.map(({ id, set, phase, want, got, ms, kind, confidence, evidence }) => ({
    id,
    set,
    phase,
    want,
    got,
    ms,
    kind,
    confidence,
    evidence,
  }))
  writeFileSync(options.json, `${JSON.stringify({ detectors, scenarios: rows, failures }, null, 1)}\n`)
}
if (options.trace !== undefined) writeFileSync(options.trace, JSON.stringify(played))
process.exitCode = failures.length > 0 ? 1 : 0
