/** Many sessions made and closed, some at once: what stays behind in the servers and in the process table? */
import { now, pool, round, sleep, untilRestMs } from '../lib/measure.mjs'
import { allPids, descendants, descriptors, environment, rssKb } from '../lib/processes.mjs'
import { openSession } from '../lib/session.mjs'

/** After `warmUp` cycles compilers and allocators have what they keep for good; what grows after that is a leak. */
export const defaults = { n: 10_000, warmUp: 500, atOnce: 4, limit: 240_000, settle: untilRestMs }

export async function run({ peer, context }, { n, warmUp, atOnce, limit, settle }) {
  await openSession(peer)
  await sleep(300)
  const pids = await peer.serverPids()
  const coldRss = rssKb(pids)
  await cycles({ peer, n: Math.min(warmUp, n), atOnce, limit })
  await sleep(settle)
  const before = snapshot(pids, context.home)
  const begun = now()
  const done = await cycles({ peer, n, atOnce, limit })
  const wallMs = round(now() - begun)
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

/** How many of `n` were done within the limit. */
async function cycles({ peer, n, atOnce, limit }) {
  const begun = now()
  let done = 0
  await pool(n, atOnce, async () => {
    if (now() - begun > limit) return
    await peer.close(await peer.create())
    done += 1
  })
  return done
}

/** Processes are ours by the private HOME they inherited, whoever is their parent now. */
function snapshot(pids, home) {
  const zombies = descendants(pids).filter(({ state }) => state === 'Z').length
  const processes = allPids().filter((pid) => environment(pid).includes(home)).length
  return { descriptors: descriptors(pids), rss: rssKb(pids), processes, zombies }
}
