/** From sending `echo "X"123` until the caller has X123. */
import { now, round, stats } from '../lib/measure.mjs'
import { cpuSpent, openSession, runEcho } from '../lib/session.mjs'

export const defaults = { n: 200 }

export async function run({ peer }, { n }) {
  const session = await openSession(peer)
  await runEcho(peer, session, 99_999)
  // Peers that take hundreds of milliseconds do not need two hundred samples.
  const count = peer.slow ? Math.ceil(n / 5) : n
  const values = []
  const cpuBefore = await cpuSpent(peer)
  for (let i = 0; i < count; i++) {
    const startedAt = now()
    await runEcho(peer, session, 100_000 + i)
    values.push(now() - startedAt)
  }
  const cpuMsPerCommand = round(((await cpuSpent(peer)) - cpuBefore) / count, 3)
  await peer.close(session)
  return { ms: stats(values), cpuMsPerCommand }
}
