/**
 * The echo of this build beside that of another, in turns, call by call: whatever slows the machine slows both. Each round has daemons of
 * its own, since two starts of one build differ by more than two builds do.
 *
 *   node bench/echo-pair.mjs OTHER_CHECKOUT [--n 300] [--rounds 8] [--before 50]
 *
 * `before`: calls that a fresh daemon is given before it counts. A round prints the medians of both in ms, and their ratio; the last line is
 * the median of the ratios.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { now, round, stats } from './lib/measure.mjs'
import { openSession, runEcho } from './lib/session.mjs'
import { checkout, makeHome, remove } from './lib/workspace.mjs'
import { make } from './peers/agentpty.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '8' },
    before: { type: 'string', default: '50' },
  },
})
const [other] = positionals
if (other === undefined)
  throw new Error('usage: node bench/echo-pair.mjs OTHER_CHECKOUT [--n 300] [--rounds 8] [--before 50]')
const [n, rounds, uncounted] = [values.n, values.rounds, values.before].map(Number)
const programOf = (folder) => path.resolve(folder, 'packages', 'agentpty', 'bin', 'agentpty.js')

const ratios = []
for (let i = 0; i < rounds; i++) {
  const before = await begin(other)
  const after = await begin(checkout)
  const times = { before: [], after: [] }
  for (let call = 0; call < n; call++) {
    // Who comes first changes, so that being second costs neither.
    const pair = [
      ['before', before],
      ['after', after],
    ]
    for (const [name, { peer, session }] of call % 2 === 0 ? pair : pair.reverse()) {
      const begun = now()
      await runEcho(peer, session, 100_000 + call)
      times[name].push(now() - begun)
    }
  }
  await end(before)
  await end(after)
  const [was, is] = [stats(times.before).p50, stats(times.after).p50]
  ratios.push(is / was)
  console.log(`${was}  ${is}  ${round(is / was, 3)}`)
}
console.log(
  `ratio of ${rounds} rounds of ${n} calls: median ${stats(ratios).p50}, ${stats(ratios).min} to ${stats(ratios).max}`,
)

async function begin(folder) {
  const home = makeHome()
  const peer = await make({ home, build: programOf(folder) })
  await peer.start()
  const session = await openSession(peer)
  for (let i = 0; i < uncounted; i++) await runEcho(peer, session, 50_000 + i)
  return { home, peer, session }
}

async function end({ home, peer }) {
  await peer.stop()
  remove(home)
}
