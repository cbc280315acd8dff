/** From the start of the peer's process, with no part of it running, to the first created session. */
import { now, stats } from '../lib/measure.mjs'

export const defaults = { n: 5 }

export async function run({ make, makeContext }, { n }) {
  const listed = []
  const first = []
  for (let i = 0; i < n; i++) {
    const peer = await make(makeContext())
    const startedAt = now()
    await peer.start()
    if (peer.listTools) {
      await peer.listTools()
      listed.push(now() - startedAt)
    }
    const session = await peer.create()
    first.push(now() - startedAt)
    await peer.close(session).catch(() => null)
    await peer.stop()
  }
  return { ms: stats(first), toolsListed: stats(listed) }
}
