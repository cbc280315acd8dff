/**
 * The times at which programs truly wait: their reads and polls that last, as the kernel traces them. Needs root and bpftrace; without
 * them the truth is taken from the scenario's marker, floor and side label.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Phase } from './scenario.ts'
import type { PhaseTrace } from './trace.ts'

interface Wait {
  readonly from: number
  /** Infinity while it lasts. */
  to: number
  readonly pid: number
  readonly tid: number
  readonly name: string
}

/** A shorter call is not a wait: the program was served immediately. */
const waitMs = 20
const keptMax = 20_000

export class Truth {
  readonly #tracer: ChildProcess
  readonly #open = new Map<string, Wait>()
  readonly #waits = new Map<number, Wait[]>()
  readonly #names = new Map<number, string>()

  private constructor(tracer: ChildProcess) {
    this.#tracer = tracer
  }

  /** Null where tracing is not possible; the reason is logged. */
  static async start(folder: string, log: (text: string) => void): Promise<Truth | null> {
    if (process.getuid?.() !== 0) {
      log('not root: the truth comes from markers, floors and side labels')
      return null
    }
    const command = 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec bpftrace -q "$0"'
    const tracer = spawn('unshare', ['-m', 'sh', '-c', command, join(folder, 'truth.bt')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BPFTRACE_MAX_PROBES: '64', BPFTRACE_PERF_RB_PAGES: '2048' },
    })
    let complaint = ''
    tracer.stderr.on('data', (text) => {
      complaint = (complaint + text).slice(-2_000)
    })
    const truth = new Truth(tracer)
    const began = new Promise<boolean>((resolve) => {
      tracer.on('exit', () => resolve(false))
      tracer.on('error', () => resolve(false))
      createInterface({ input: tracer.stdout }).on('line', (line) => {
        resolve(true)
        truth.#note(line)
      })
    })
    if (await began) return truth
    log(
      `no tracing (${complaint.trim().split('\n').at(-1) ?? ''}): the truth comes from markers, floors and side labels`,
    )
    return null
  }

  stop(): void {
    this.#tracer.kill()
  }

  #note(line: string): void {
    const [ns, step, terminal, pid, tid, ...name] = line.split(' ')
    const at = Number(ns) / 1e6
    const key = `${terminal} ${tid}`
    const known = this.#open.get(key)
    if (known !== undefined && step === 'X') {
      known.to = at
      this.#open.delete(key)
      if (at - known.from < waitMs) this.#drop(Number(terminal), known)
      return
    }
    if (step !== 'E') return
    if (known !== undefined) this.#drop(Number(terminal), known)
    const wait: Wait = {
      from: at,
      to: Number.POSITIVE_INFINITY,
      pid: Number(pid),
      tid: Number(tid),
      name: name.join(' '),
    }
    if (pid === tid) this.#names.set(wait.pid, wait.name)
    this.#open.set(key, wait)
    const waits = this.#waits.get(Number(terminal)) ?? []
    waits.push(wait)
    if (waits.length > keptMax) waits.shift()
    this.#waits.set(Number(terminal), waits)
  }

  #drop(terminal: number, wait: Wait): void {
    const waits = this.#waits.get(terminal) ?? []
    const index = waits.lastIndexOf(wait)
    if (index >= 0) waits.splice(index, 1)
  }

  /**
   * The start of a phase's wait; null if no thread was seen waiting.
   *
   * @param openedAt - Earlier waits belong to a program that had this terminal number before: no thread stays in a call on a
   * terminal that was hung up.
   */
  waitOf(terminal: number, phase: Phase, trace: PhaseTrace, openedAt: number): number | null {
    const floor = Math.max(trace.sentAt + phase.floor_ms, trace.sideAt ?? 0)
    const reference = Math.max(floor, (trace.markerAt ?? 0) - 2)
    if (phase.waiter === null) return null
    const name = new RegExp(`^(?:${phase.waiter})$`)
    const isWaiter = (wait: Wait) =>
      name.test(wait.name) || (phase.anythread && name.test(this.#names.get(wait.pid) ?? ''))
    const found = (this.#waits.get(terminal) ?? []).find(
      (wait) =>
        isWaiter(wait) &&
        wait.from >= openedAt &&
        wait.from < trace.endAt &&
        wait.to > reference &&
        Math.min(wait.to, trace.endAt) - Math.max(wait.from, reference) >= waitMs,
    )
    // A wait that had started before its marker was seen: the marker was on its way.
    return found === undefined ? null : Math.max(found.from, floor)
  }
}
