/**
 * The times at which programs start to wait, traced by the kernel: their reads, polls, selects and epolls that last.
 *
 * Needs root and bpftrace. The times are CLOCK_MONOTONIC, as process.hrtime gives them.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { benchRoot } from './workspace.mjs'

const script = path.join(benchRoot, 'waiting', 'truth.bt')
const beginMs = 20_000
/** A shorter call is not a wait: the program was served immediately, or checked for more. */
const waitMs = 5
const keptMax = 1_000

export class OwnWaits {
  #tracer
  /** The newest calls by terminal and thread, oldest first, each with start and end; Infinity while it lasts. */
  #calls = new Map()

  /** Null if tracing is unavailable. */
  static async start() {
    if (process.getuid?.() !== 0) return null
    const command = 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec bpftrace -q "$0"'
    const tracer = spawn('unshare', ['-m', 'sh', '-c', command, script], { stdio: ['ignore', 'pipe', 'ignore'] })
    const waits = new OwnWaits(tracer)
    const lines = createInterface({ input: tracer.stdout })
    const began = await new Promise((resolve) => {
      tracer.once('error', () => resolve(false))
      tracer.once('exit', () => resolve(false))
      lines.once('line', () => resolve(true))
      setTimeout(() => resolve(false), beginMs).unref()
    })
    if (!began) {
      waits.stop()
      return null
    }
    lines.on('line', (line) => waits.#note(line))
    return waits
  }

  constructor(tracer) {
    this.#tracer = tracer
  }

  stop() {
    this.#tracer.kill()
  }

  /** The time in ms of CLOCK_MONOTONIC at which the main thread first started to wait after `at`; null if it has not. */
  firstAfter(pid, at) {
    const calls = this.#calls.get(`${terminalOf(pid)} ${pid}`) ?? []
    return calls.find(({ from, to }) => from >= at && to - from >= waitMs)?.from ?? null
  }

  #note(line) {
    const [ns, step, terminal, , tid] = line.split(' ')
    const key = `${terminal} ${tid}`
    const at = Number(ns) / 1e6
    const calls = this.#calls.get(key) ?? []
    this.#calls.set(key, calls)
    const open = calls.at(-1)
    if (open?.to === Number.POSITIVE_INFINITY) open.to = at
    if (step === 'E') calls.push({ from: at, to: Number.POSITIVE_INFINITY })
    if (calls.length > keptMax) calls.shift()
  }
}

/** The number of the process's own terminal, in the kernel's counting. */
function terminalOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const device = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4])
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  return minor + (((device >> 8) & 0xfff) - 136) * 256
}
