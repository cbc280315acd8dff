/** From the request for a session until the caller has its prompt. */
import { now, stats } from '../lib/measure.mjs'
import { openSession } from '../lib/session.mjs'

export const defaults = { n: 30 }

export async function run({ peer }, { n }) {
  await peer.close(await openSession(peer))
  const values = []
  for (let i = 0; i < n; i++) {
    const startedAt = now()
    const session = await openSession(peer)
    values.push(now() - startedAt)
    await peer.close(session)
  }
  return { ms: stats(values) }
}
