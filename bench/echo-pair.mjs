/**
 * A typed command in this build beside the same in another, in turns, call by call: whatever slows the machine slows both. Each round has
 * daemons of its own, since two starts of one build differ by more than two builds do. The build that starts second is slower, by a
 * millisecond or two with fish on two cores; so each round starts both orders, and its numbers are the means of the two.
 *
 *   node bench/echo-pair.mjs OTHER_CHECKOUT [--n 300] [--rounds 8] [--before 50] [--shells bash] [--ready]
 *
 * `before`: calls of a fresh daemon that do not count. `shells`: their names, with commas between. `ready`: until the shell waits again, in
 * place of until the text is shown. A round prints the medians of both in ms, and their ratio; the last line of a shell is the median of
 * the ratios and of the differences in ms.
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
    shells: { type: 'string', default: 'bash' },
    ready: { type: 'boolean', default: false },
  },
})
const [other] = positionals
if (other === undefined)
  throw new Error(
    'usage: node bench/echo-pair.mjs OTHER_CHECKOUT [--n 300] [--rounds 8] [--before 50] [--shells bash] [--ready]',
  )
const [n, rounds, uncounted] = [values.n, values.rounds, values.before].map(Number)
const folders = { before: other, after: checkout }
const programOf = (folder) => path.resolve(folder, 'packages', 'agentpty', 'bin', 'agentpty.js')

for (const shell of values.shells.split(',')) await compare(shell)

async function compare(shell) {
  const ratios = []
  const differences = []
  for (let i = 0; i < rounds; i++) {
    const first = await measure(shell, ['before', 'after'])
    const second = await measure(shell, ['after', 'before'])
    const [was, is] = ['before', 'after'].map((name) => round((first[name] + second[name]) / 2, 2))
    ratios.push(is / was)
    differences.push(is - was)
    console.log(`${shell}  ${was}  ${is}  ${round(is / was, 3)}`)
  }
  console.log(
    `${shell}: ratio of ${rounds} rounds of ${n} calls: median ${stats(ratios).p50}, ${stats(ratios).min} to ${stats(ratios).max}; difference: median ${round(stats(differences).p50, 3)} ms`,
  )
}

/** The medians of both builds, started in this order. */
async function measure(shell, order) {
  const sides = []
  for (const name of order) sides.push({ name, times: [], ...(await begin(folders[name], shell)) })
  for (let call = 0; call < n; call++) {
    // The order of the calls changes, so that being second costs neither.
    for (const side of call % 2 === 0 ? sides : [...sides].reverse()) {
      const startedAt = now()
      await type(side, 100_000 + call)
      side.times.push(now() - startedAt)
    }
  }
  for (const side of sides) await end(side)
  return Object.fromEntries(sides.map(({ name, times }) => [name, stats(times).p50]))
}

function type({ peer, session }, number) {
  return values.ready ? peer.ready(session, `echo "X"${number}`) : runEcho(peer, session, number)
}

async function begin(folder, shell) {
  const home = makeHome()
  const peer = await make({ home, build: programOf(folder) })
  await peer.start()
  const side = { home, peer, session: await openSession(peer, { shell }) }
  for (let i = 0; i < uncounted; i++) await type(side, 50_000 + i)
  return side
}

async function end({ home, peer }) {
  await peer.stop()
  remove(home)
}
