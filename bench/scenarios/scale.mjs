/** Many sessions at the same time: time to create them, memory per session, CPU while all are idle, latency in one of them. */
import { now, pool, round, sleep, stats, untilRestMs, within } from '../lib/measure.mjs'
import { cpuMs, descendants, kill, pssKb } from '../lib/processes.mjs'
import { openSession, runEcho } from '../lib/session.mjs'

export const defaults = {
  ns: [10, 100, 500, 1_000],
  atOnce: 8,
  settle: untilRestMs,
  idle: 10_000,
  echoes: 50,
  limit: 90_000,
}

export async function run({ make, makeContext }, options) {
  const result = {}
  for (const n of options.ns) {
    const peer = await make(makeContext())
    await peer.start()
    result[n] = await atScale(peer, n, options).catch((error) => ({ error: error.message.slice(0, 200) }))
    if (peer.inProcess) for (const { pid, name } of descendants([process.pid])) if (name === 'bash') kill(pid)
    await within(peer.stop(), 20_000, 'stop').catch(() => null)
    await sleep(500)
    if (result[n].error) break
  }
  return result
}

async function atScale(peer, n, { atOnce, settle, idle, echoes, limit }) {
  // The first session loads what any session needs; it is closed before the memory without sessions is read.
  await peer.close(await openSession(peer))
  await sleep(500)
  const basePss = pssKb(await peer.serverPids())
  const startedAt = now()
  const sessions = await within(
    pool(n, atOnce, () => peer.create()),
    limit,
    `create ${n}`,
  )
  const createMs = now() - startedAt
  await within(
    pool(n, atOnce, (index) => peer.waitPrompt(sessions[index])),
    limit,
    'prompts',
  )
  const allPromptsMs = now() - startedAt

  const pids = await peer.serverPids()
  const cpuAtEnd = cpuMs(pids)
  await sleep(settle)
  const pss = pssKb(pids)
  const cpuAtRest = cpuMs(pids)
  await sleep(idle)
  const idleCpuPercent = ((cpuMs(pids) - cpuAtRest) / idle) * 100

  const values = []
  for (let i = 0; i < (peer.slow ? 5 : echoes); i++) {
    const echoed = now()
    await runEcho(peer, sessions[n >> 1], 100_000 + i)
    values.push(now() - echoed)
  }
  return {
    createMs: round(createMs),
    allPromptsMs: round(allPromptsMs),
    basePssMb: round(basePss / 1024, 1),
    pssPerSessionKb: round((pss - basePss) / n, 1),
    cpuUntilRestMs: round(cpuAtRest - cpuAtEnd),
    idleCpuPercent: round(idleCpuPercent, 3),
    echo: stats(values),
  }
}
