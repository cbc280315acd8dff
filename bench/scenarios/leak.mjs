/** Many sessions created and closed, some simultaneously: what remains in the servers and in the process table? */
import { now, pool, round, sleep, untilRestMs } from '../lib/measure.mjs'
import { allPids, descendants, descriptors, environment, rssKb } from '../lib/processes.mjs'
import { openSession } from '../lib/session.mjs'

/** After `warmUp` cycles compilers and allocators have their permanent memory; later growth is a leak. */
export const defaults = { n: 10_000, warmUp: 500, atOnce: 4, limit: 240_000, settle: untilRestMs }

export async function run({ peer, context }, { n, warmUp, atOnce, limit, settle }) {
  await openSession(peer)
  await sleep(300)
  const pids = await peer.serverPids()
  const coldRss = rssKb(pids)
  await cycles({ peer, n: Math.min(warmUp, n), atOnce, limit })
  await sleep(settle)
  const before = snapshot(pids, context.home)
  const startedAt = now()
  const done = await cycles({ peer, n, atOnce, limit })
  const wallMs = round(now() - startedAt)
  await sleep(settle)
  const after = snapshot(pids, context.home)
  return {
    cycles: done,
    of: n,
    wallMs,
    descriptors: after.descriptors - before.descriptors,
    processes: after.processes - before.processes + after.zombies,
    zombies: after.zombies,
    rssMb: round((after.rss - before.rss) / 1024, 1),
    rssWithWarmUpMb: round((after.rss - coldRss) / 1024, 1),
  }
}

/** The number of `n` done within the limit. */
async function cycles({ peer, n, atOnce, limit }) {
  const startedAt = now()
  let done = 0
  await pool(n, atOnce, async () => {
    if (now() - startedAt > limit) return
    await peer.close(await peer.create())
    done += 1
  })
  return done
}

/** Processes are ours by the private HOME they inherited, whatever their parent is now. */
function snapshot(pids, home) {
  const zombies = descendants(pids).filter(({ state }) => state === 'Z').length
  const processes = allPids().filter((pid) => environment(pid).includes(home)).length
  return { descriptors: descriptors(pids), rss: rssKb(pids), processes, zombies }
}
