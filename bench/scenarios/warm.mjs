/** Like cold, but the peer's daemon runs already: what the second agent of the day waits for. */
import { now, stats } from '../lib/measure.mjs'

export const defaults = { n: 10 }

export async function run({ make, makeContext }, { n }) {
  const context = makeContext()
  const keeper = await make(context)
  if (!keeper.detach) return { skipped: 'has no daemon that outlives its client' }
  await keeper.start()
  const kept = await keeper.create()
  const first = []
  try {
    for (let i = 0; i < n; i++) {
      const peer = await make(context)
      const begun = now()
      await peer.start()
      const session = await peer.create()
      first.push(now() - begun)
      await peer.close(session)
      await peer.detach()
    }
  } finally {
    await keeper.close(kept).catch(() => null)
    await keeper.stop()
  }
  return { ms: stats(first) }
}
