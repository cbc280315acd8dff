/**
 * The soak: many terminals at random work for a long time, while the daemon is killed repeatedly.
 *
 *   npm run soak                                        30 minutes, 200 terminals, a kill every minute
 *   npm run soak -- --minutes 5 --sessions 50 --kill-seconds 20 --seed 7
 *
 * It prints the durations of its calls: p50, p99 and the slowest of each verb, including the pauses that they
 * request. It fails when a byte is lost or read twice, when memory or descriptors grow, or when anything is left at the
 * end.
 */

import { parseArgs } from 'node:util'
import { Instance } from '../../tests/harness/instance.ts'
import { Random } from '../../tests/harness/random.ts'
import { Counter } from './counter.ts'
import { Reach } from './reach.ts'
import { Watch } from './watch.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    sessions: { type: 'string', default: '200' },
    'kill-seconds': { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const minutes = Number(values.minutes)
const random = new Random(Number(values.seed))
const instance = new Instance()
const reach = new Reach(instance)
const watch = new Watch(instance)
const endsAt = performance.now() + minutes * 60_000
const say = (text: string) => process.stderr.write(`${text}\n`)

say(`seed ${values.seed}: ${minutes} minutes, ${values.sessions} terminals, home ${instance.home}`)
const counters = await Counter.openAll(reach, Number(values.sessions), random)
let kills = 0
const killing = repeatUntil(endsAt, Number(values['kill-seconds']) * 1_000, async () => {
  await reach.kill()
  kills++
})
const watching = repeatUntil(endsAt, 5_000, async () => {
  watch.sample()
  const left = Math.max(0, (endsAt - performance.now()) / 60_000).toFixed(1)
  const lines = counters.reduce((sum, { lines }) => sum + lines, 0)
  if (process.stderr.isTTY) process.stderr.write(`\r${left} min left, ${lines} lines, ${kills} kills   `)
})
const working = counters.map(async (counter) => {
  while (performance.now() < endsAt) await counter.work()
  await counter.finish()
})
const failures = (await Promise.allSettled(working)).flatMap((one) =>
  one.status === 'rejected' ? [String(one.reason)] : [],
)
await Promise.all([killing, watching])

const lines = counters.reduce((sum, { lines }) => sum + lines, 0)
const bytes = counters.reduce((sum, { bytes }) => sum + bytes, 0)
const reopened = counters.reduce((sum, { reopened }) => sum + reopened, 0)
const growth = watch.problems()
await reach.close()
const left = await instance.stop()
process.stdout.write(
  `${minutes} minutes, ${counters.length} terminals, ${kills} kills of the daemon, seed ${values.seed}\n` +
    `${lines} lines in order, ${bytes} bytes, ${failures.length} terminals with lost or doubled output\n` +
    `${reopened} terminals closed and opened anew on the way\n${watch.table()}${reach.latency.table()}` +
    `${left.length} processes left\n`,
)
const problems = [...failures.slice(0, 10), ...growth, ...(left.length > 0 ? [`left: ${left.join(', ')}`] : [])]
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

async function repeatUntil(end: number, everyMs: number, act: () => Promise<void>): Promise<void> {
  for (let at = performance.now() + everyMs; at < end; at += everyMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))
    await act()
  }
}
