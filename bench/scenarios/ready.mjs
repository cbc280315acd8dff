/**
 * The delay between the true end of a command and the caller's notification.
 *
 * The truth comes from bash itself, which writes the time of each prompt into a file. A notice before that counts as
 * false.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sleep, stats } from '../lib/measure.mjs'
import { openSession } from '../lib/session.mjs'

export const defaults = { n: 30, gap: 20 }

export async function run({ peer, context }, { n, gap }) {
  const stampFile = path.join(context.home, 'prompts')
  const stamps = () => promptTimes(stampFile)
  const session = await openSession(peer, { stampFile })
  await sleep(300)
  const overshoot = []
  let falseReady = 0
  let how = ''
  for (let i = 0; i < n; i++) {
    const before = stamps().length
    how = await peer.ready(session, 'sleep 0.2; true')
    const notifiedAt = performance.timeOrigin + performance.now()
    const truth = stamps()[before]
    if (truth === undefined) {
      falseReady += 1
      while (stamps().length <= before) await sleep(5)
    } else overshoot.push(notifiedAt - truth)
    await sleep(gap)
  }
  await peer.close(session)
  return { ms: stats(overshoot), falseReady, n, how }
}

/** In milliseconds since the epoch. */
export function promptTimes(stampFile) {
  try {
    return readFileSync(stampFile, 'utf8')
      .trim()
      .split('\n')
      .map((seconds) => Number(seconds) * 1e3)
  } catch {
    return [] // no prompt yet, so no file
  }
}
