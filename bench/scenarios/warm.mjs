/** Like cold, but the peer's daemon runs already: the waiting time of the second agent of the day. */
import { now, stats } from '../lib/measure.mjs'

export const defaults = { n: 10 }

export async function run({ make, makeContext }, { n }) {
  const context = makeContext()
  const keeper = await make(context)
  if (!keeper.detach) return { skipped: 'has no daemon that outlives its client' }
  await keeper.start()
  const firstSession = await keeper.create()
  const first = []
  try {
    for (let i = 0; i < n; i++) {
      const peer = await make(context)
      const startedAt = now()
      await peer.start()
      const session = await peer.create()
      first.push(now() - startedAt)
      await peer.close(session)
      await peer.detach()
    }
  } finally {
    await keeper.close(firstSession).catch(() => null)
    await keeper.stop()
  }
  return { ms: stats(first) }
}
