/**
 * Plays scenarios as an ordinary user with the product's library: reads jobs as lines of JSON, writes traces as lines
 * of JSON. It knows the truth only as far as a scenario needs it to continue: when the next input may be typed.
 */

import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Engine, isTermError, type Observation, openEngine, probabilities, type SessionEvent } from 'agentpty'
import { toInput } from './player-input.ts'
import { type Phase, type Scenario, shellOf } from './scenario.ts'
import type { Decision, PhaseTrace, Trace } from './trace.ts'

interface Job {
  readonly scenario: Scenario
  readonly sideFile: string
  readonly env: Readonly<Record<string, string>>
  readonly modeWatcher: string
  /** The duration of a phase after the decision, so that slower detectors can decide too. */
  readonly lingerMs: number
  readonly hookFile: string | null
  readonly gate: 'off' | 'journal' | 'ask'
}

const settleMs = 60
const missMs = 5_000
const setupMs = 60_000
/** Characters of output that are searched for a marker. */
const keptCharacters = 64 * 1024
const escapes =
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g

const now = () => Number(process.hrtime.bigint()) / 1e6
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The judged fields of an answer. */
type Answer = Pick<Observation, 'outcome' | 'state' | 'kind' | 'confidence' | 'needs' | 'evidence' | 'held'>

/** One scenario in play. */
class Play {
  readonly engine: Engine
  readonly job: Job
  readonly terminalId: string
  readonly outputs: [number, string][] = []
  readonly modes: [number, boolean][] = []
  readonly woken: [number, boolean][] = []
  readonly phases: PhaseTrace[] = []
  #text = ''
  #decision: Decision | null = null
  #question = new AbortController()
  #marker: RegExp | null = null
  #markerAt: number | null = null
  #isOver = false
  failure: string | null = null
  readonly #decoder = new TextDecoder()

  constructor(engine: Engine, job: Job, terminalId: string) {
    this.engine = engine
    this.job = job
    this.terminalId = terminalId
  }

  async follow(): Promise<void> {
    const options = { output: { since: 0 } }
    for await (const event of this.engine.client.follow(this.terminalId, options)) this.#take(event)
    this.#isOver = true
  }

  /** The answer to a call that waits for the caller's turn; a met wait is a decision. */
  ask(call: (signal: AbortSignal) => Promise<Answer>): Promise<void> {
    this.#question.abort()
    const question = new AbortController()
    this.#question = question
    this.#decision = null
    return call(question.signal).then(
      (answer) => {
        if (answer.held !== undefined) this.fails(answer.held)
        if (question.signal.aborted || answer.outcome !== 'met') return
        const { state, kind = null, confidence = 'high', needs = null, evidence = [] } = answer
        this.#decision = { at: now(), state, kind, confidence, probability: probabilities[confidence], needs, evidence }
      },
      (error: unknown) => {
        if (!question.signal.aborted || !isTermError(error) || error.code !== 'cancelled') throw error
      },
    )
  }

  #take(event: SessionEvent): void {
    if (event.type === 'output') {
      this.outputs.push([now(), Buffer.from(event.bytes).toString('base64')])
      this.#text += this.#decoder.decode(event.bytes, { stream: true })
      // A flood would be searched for the marker again and again.
      if (this.#text.length > 2 * keptCharacters) this.#text = this.#text.slice(-keptCharacters)
      if (this.#markerAt === null && this.#marker?.test(this.#plain())) this.#markerAt = now()
    } else this.#isOver = true
  }

  /** @param beganAt - The start of the program, for the phase that begins with it. */
  async phase(phase: Phase, beganAt: number): Promise<string | null> {
    const marker = phase.marker === null ? null : new RegExp(phase.marker, 's')
    this.#begin(marker, phase.send === null)
    const sentAt = phase.send === null ? beganAt : this.#send(phase.send)
    let sideAt: number | null = null
    for (;;) {
      const at = now()
      if (phase.state === 'busy') {
        if (at >= sentAt + phase.hold_ms) break
        if (this.#isOver) break
        await pause(5)
        continue
      }
      const markerAt = this.#markerAt
      if (phase.side !== null && sideAt === null) sideAt = sideTime(this.job.sideFile, phase.side, sentAt)
      const known = (marker === null || markerAt !== null) && (phase.side === null || sideAt !== null)
      const begin = Math.max(sentAt + phase.floor_ms, markerAt ?? 0, sideAt ?? 0)
      const decided = this.#decision?.at ?? Number.POSITIVE_INFINITY
      if (this.failure !== null) return this.failure
      const { lingerMs } = this.job
      if (known && at >= begin + lingerMs && at >= decided + settleMs) break
      if (known && at >= begin + Math.max(missMs, lingerMs)) break
      if (this.#isOver) return `the program ended: ${this.#plain().slice(-200)}`
      if (at >= sentAt + setupMs) return `the marker never came: ${this.#plain().slice(-300)}`
      await pause(2)
    }
    this.phases.push({
      sentAt,
      markerAt: this.#markerAt,
      sideAt,
      endAt: now(),
      decision: this.#decision,
      undecided: await this.#undecided(phase),
    })
    return null
  }

  /** The output that counts from now on; the phase that begins with the program counts all its output. */
  #begin(marker: RegExp | null, isFirst: boolean): void {
    this.#marker = marker
    this.#markerAt = isFirst && marker?.test(this.#plain()) ? now() : null
    if (isFirst) return
    this.#text = ''
  }

  async #undecided(phase: Phase): Promise<readonly string[]> {
    if (phase.state === 'busy' || this.#decision !== null) return []
    const { terminals } = await this.engine.client.call('list', {})
    return terminals.find(({ name }) => name === this.terminalId)?.evidence ?? []
  }

  #send(text: string): number {
    const sentAt = now()
    const [verb, input] = toInput(this.terminalId, text)
    this.ask((signal) =>
      this.engine.client.call(verb, { ...input, waitTimeoutMs: setupMs } as never, { signal }),
    ).catch((error: unknown) => this.fails(error))
    return sentAt
  }

  fails(error: unknown): void {
    this.failure ??= error instanceof Error ? error.message : String(error)
  }

  #plain(): string {
    return this.#text.replaceAll(escapes, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  }
}

function sideTime(file: string, label: string, sentAt: number): number | null {
  if (!existsSync(file)) return null
  const times = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, name]) => name === label)
    .map(([ns]) => Number(ns) / 1e6)
  return times.find((at) => at >= sentAt) ?? null
}

/** Records each change of the terminal's mode, sampled from outside like a peer would. */
function watchModes(play: Play, pts: string): () => void {
  const watcher = spawn(play.job.modeWatcher, [pts], { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: watcher.stdout }).on('line', (line) => {
    const [ns, canonical] = line.split(' ')
    play.modes.push([Number(ns) / 1e6, canonical === '1'])
  })
  return () => watcher.kill()
}

/** Runs ps every half second, as tools on top of tmux do. */
function watchWaking(play: Play, pts: number): () => void {
  const timer = setInterval(() => {
    const at = now()
    execFile('ps', ['H', '-t', `pts/${pts}`, '-o', 'stat=,wchan='], (_error, listed) => {
      play.woken.push([at, listed.split('\n').some((line) => line.includes('+') && line.includes('wait_woken'))])
    })
  }, 500)
  return () => clearInterval(timer)
}

function readHooks(file: string | null): [number, number][] {
  if (file === null || !existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.filter(Boolean).map((line) => {
    const [ns, step] = line.split(' ')
    return [Number(ns) / 1e6, Number(step)]
  })
}

async function play(engine: Engine, job: Job): Promise<Trace> {
  const { scenario } = job
  const shell = shellOf(scenario)
  const start =
    shell === undefined ? { command: [...scenario.argv] } : scenario.plainShell ? { command: plain(shell) } : { shell }
  rmSync(job.sideFile, { force: true })
  const env = { ...job.env, ...scenario.env, PHASE_LOG: job.sideFile }
  const before = await engine.turnCosts()
  const beganAt = now()
  const name = `play-${scenario.id.replaceAll('+', '-')}`.slice(0, 64)
  const played = new Play(engine, job, name)
  const first = { ...start, name, env, cols: 120, rows: 40, gate: job.gate, waitTimeoutMs: setupMs } as const
  const isAsked = scenario.phases[0]?.send === null
  const opening = played.ask((signal) =>
    engine.client.call('create', isAsked ? first : { ...first, waitFor: 'none' }, { signal }),
  )
  opening.catch((error: unknown) => played.fails(error))
  const pid = await pidOf(engine, name, () => played.failure)
  const following = played.follow()
  const pts = terminalOf(pid)
  const stop = watchModes(played, `/dev/pts/${pts}`)
  const stopWaking = job.lingerMs > missMs / 5 ? watchWaking(played, pts) : () => {}
  let failure: string | null = null
  for (const [index, phase] of scenario.phases.entries()) {
    const problem = await played.phase(phase, beganAt)
    if (problem !== null) {
      failure = `phase ${index}: ${problem}`
      break
    }
  }
  failure ??= played.failure
  stop()
  stopWaking()
  await engine.client.call('close', { terminalId: name })
  await following
  const after = await engine.turnCosts()
  const cost = {
    samples: after.samples - before.samples,
    cpuUs: (after.cpuMs - before.cpuMs) * 1_000,
    judgingUs: (after.judgingMs - before.judgingMs) * 1_000,
  }
  const { outputs, modes, phases, woken } = played
  const hooks = readHooks(job.hookFile)
  return { id: scenario.id, pts, openedAt: beganAt, phases, outputs, modes, woken, hooks, cost, failure }
}

/** Known as soon as the terminal is open, long before the caller gets its answer. */
async function pidOf(engine: Engine, name: string, failure: () => string | null): Promise<number> {
  while (failure() === null) {
    const { terminals } = await engine.client.call('list', {})
    const pid = terminals.find((one) => one.name === name)?.pid
    if (pid !== undefined) return pid
    await pause(1)
  }
  throw new Error(`the terminal was not opened: ${failure()}`)
}

/** The plain shell, without our marks. */
function plain(shell: string): string[] {
  return shell === 'bash' ? ['bash', '--norc'] : shell === 'zsh' ? ['zsh', '-f'] : ['fish', '--no-config']
}

function terminalOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const device = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4])
  const link = () => readlinkSync(`/proc/${pid}/fd/0`).replace('/dev/pts/', '')
  return device === 0
    ? Number(link())
    : (device & 0xff) | ((device >> 12) & 0xfff00) | ((((device >> 8) & 0xfff) - 136) << 8)
}

const engine = await openEngine({ profile: 'trusted', approve: () => true })
process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Job & { readonly costs?: boolean }
  if (job.costs) {
    const { samples, cpuMs } = await engine.turnCosts()
    process.stdout.write(`${JSON.stringify({ samples, cpuUs: cpuMs * 1_000 })}\n`)
    continue
  }
  const trace = await play(engine, job).catch((error: unknown) => ({
    id: job.scenario.id,
    failure: error instanceof Error ? error.message : String(error),
  }))
  process.stdout.write(`${JSON.stringify(trace)}\n`)
}
await engine.close()
