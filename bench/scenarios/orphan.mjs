/** A session with a background job and a foreground program that ignore hang-up is closed: what still runs afterwards? */
import { sleep } from '../lib/measure.mjs'
import { allPids, commandLine, environment, kill, stat } from '../lib/processes.mjs'
import { openSession } from '../lib/session.mjs'

export const defaults = {}

export async function run({ peer, context }) {
  // A sleep duration that no other process uses, by which the processes are found.
  const tag = `1000.${Math.floor(1e5 + Math.random() * 9e5)}`
  const left = () => allPids().filter((pid) => commandLine(pid) === `sleep ${tag}`)
  const session = await openSession(peer)
  const line = `trap '' HUP TERM; sleep ${tag} & echo "O"K7; sleep ${tag}`
  await Promise.race([peer.exec(session, line, 'OK7', 5_000).catch(() => null), sleep(3_000)])
  await sleep(300)
  const before = left().length
  await Promise.race([peer.close(session).catch(() => null), sleep(5_000)])
  await sleep(6_000)
  const orphans = left()
  const shells = allPids().filter((pid) => commandLine(pid).includes('--rcfile') && isOurs(pid, context.home))
  for (const pid of orphans) kill(pid)
  return { before, orphans: orphans.length, shells: shells.length }
}

const isOurs = (pid, home) => stat(pid)?.state !== 'Z' && environment(pid).includes(home)
