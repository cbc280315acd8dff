/** Many sessions made and closed at once: what stays behind in the servers and in the process table? */
import { now, pool, round, sleep } from '../lib/measure.mjs'
import { allPids, commandLine, descendants, descriptors, environment, rssKb, stat } from '../lib/processes.mjs'
import { openSession } from '../lib/session.mjs'

export const defaults = { n: 500, atOnce: 4, limit: 60_000 }

export async function run({ peer, context }, { n, atOnce, limit }) {
  await openSession(peer)
  await sleep(300)
  const pids = await peer.serverPids()
  const before = snapshot(pids)
  const begun = now()
  let cycles = 0
  let error
  const cycle = async () => {
    if (now() - begun > limit) return
    await peer.close(await peer.create())
    cycles += 1
  }
  await pool(n, atOnce, cycle).catch((reason) => {
    error = reason.message.slice(0, 200)
  })
  const wallMs = round(now() - begun)
  await sleep(3_500)
  const after = snapshot(pids)
  return {
    cycles,
    wallMs,
    descriptors: after.descriptors - before.descriptors,
    children: after.children - before.children,
    zombies: after.zombies,
    rssMb: round((after.rss - before.rss) / 1024, 1),
    shells: shellsOf(context.home) - 1, // one is the session opened first
    error,
  }
}

function snapshot(pids) {
  const children = descendants(pids)
  const zombies = children.filter((child) => child.state === 'Z').length
  return { descriptors: descriptors(pids), rss: rssKb(pids), children: children.length, zombies }
}

const shellsOf = (home) =>
  allPids().filter(
    (pid) => /^(\S*\/)?bash\b/.test(commandLine(pid)) && stat(pid)?.state !== 'Z' && environment(pid).includes(home),
  ).length
