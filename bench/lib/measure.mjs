/** Time and numbers, and the machine they were measured on. */
import { readFileSync } from 'node:fs'
import os from 'node:os'

export const now = () => performance.now()

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The time until a server rests after work: Node collects its garbage once more up to 17 s later, and memory falls only then. */
export const untilRestMs = 20_000

export const round = (value, digits = 2) =>
  value == null || Number.isNaN(value) ? null : Math.round(value * 10 ** digits) / 10 ** digits

/** Nearest-rank percentiles, and the raw values in the order they were measured. */
export function stats(values) {
  if (values.length === 0) return { n: 0, values: [] }
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (p) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))]
  return {
    n: sorted.length,
    min: round(sorted[0]),
    p50: round(rank(0.5)),
    p90: round(rank(0.9)),
    p99: round(rank(0.99)),
    max: round(sorted.at(-1)),
    values: values.map((value) => round(value, 3)),
  }
}

/** Polls until the result is truthy, like a caller without a wait primitive. */
export async function poll(ask, timeoutMs, everyMs = 10) {
  const deadline = now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (now() > deadline) throw new Error(`not within ${timeoutMs} ms`)
    await sleep(everyMs)
  }
}

export function within(promise, timeoutMs, what) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Runs jobs 0 … count-1, at most `atOnce` of them at a time. */
export async function pool(count, atOnce, job) {
  const results = new Array(count)
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next++
      results[index] = await job(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return results
}

/** Counts newlines with a plain loop, because these texts reach 100 MB. */
export function countLines(text) {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

export const loadAverage = () => readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' ')

/** The properties of the machine that numbers depend on, without its name. */
export const describeMachine = () => ({
  node: process.version,
  system: os.type(),
  kernel: os.release(),
  cpus: os.cpus().length,
  cpuModel: os.cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: round(os.totalmem() / 2 ** 30, 1),
})
