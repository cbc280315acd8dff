/** One session floods, a second one is used meanwhile: throughput, memory, loss, and how much the neighbour suffers. */
import { now, round, sleep, stats, within } from '../lib/measure.mjs'
import { lineFile } from '../lib/place.mjs'
import { peakRssKb, resetPeakRss, rssKb } from '../lib/processes.mjs'
import { cpuSpent, openSession, runEcho } from '../lib/session.mjs'

export const defaults = { kinds: ['seq', 'cat'], limit: 90_000 }

const sizes = {
  small: { command: () => 'seq 1 500000', bytes: 3_388_895, lines: 500_000 },
  seq: { command: () => 'seq 1 5000000', bytes: 38_888_896, lines: 5_000_000 },
  cat: { command: () => `cat ${lineFile(100_000_000)}`, bytes: 100_000_000, lines: 1_000_000 },
}

export const floodsFor = (kinds) => kinds.map((kind) => ({ kind, ...sizes[kind], command: sizes[kind].command() }))

export async function run({ peer }, { kinds, limit }) {
  const result = {}
  for (const flood of floodsFor(kinds)) {
    const [flooded, neighbour] = [await openSession(peer), await openSession(peer)]
    await runEcho(peer, neighbour, 99_999)
    result[flood.kind] = await oneFlood({ peer, flooded, neighbour, flood, limit })
    await peer.close(flooded).catch(() => null)
    await peer.close(neighbour).catch(() => null)
    await sleep(300)
  }
  return result
}

async function oneFlood({ peer, flooded, neighbour, flood, limit }) {
  const pids = await peer.serverPids()
  resetPeakRss(pids)
  const rssBefore = rssKb(pids)
  await peer.streamStart?.(flooded)
  const meanwhile = useMeanwhile(peer, neighbour, limit)
  await sleep(50)

  const cpuBefore = await cpuSpent(peer)
  const begun = now()
  let error
  await within(peer.exec(flooded, `${flood.command}; echo "E"ND77`, 'END77', limit), limit + 5_000, flood.kind).catch(
    (reason) => {
      error = reason.message.slice(0, 200)
    },
  )
  const wallMs = error ? null : now() - begun
  const cpuAfter = await cpuSpent(peer)
  const neighbourMs = await meanwhile.end()
  return {
    wallMs: round(wallMs),
    megabytesPerSecond: wallMs ? round(flood.bytes / 1e3 / wallMs, 1) : null,
    rssBeforeMb: round(rssBefore / 1024, 1),
    rssPeakMb: round(peakRssKb(pids) / 1024, 1),
    rssAfterMb: round(rssKb(pids) / 1024, 1),
    cpuMs: round(cpuAfter - cpuBefore, 0),
    neighbour: stats(neighbourMs),
    ...(wallMs ? await missing(peer, flooded, flood) : {}),
    error,
  }
}

/** Echoes in the second session until told to end. */
function useMeanwhile(peer, session, limit) {
  const values = []
  let over = false
  const loop = async () => {
    for (let number = 200_000; !over; number++) {
      const begun = now()
      await runEcho(peer, session, number, limit)
      if (!over || values.length === 0) values.push(now() - begun)
      await sleep(20)
    }
  }
  const running = loop().catch(() => null)
  return {
    async end() {
      over = true
      await within(running, limit, 'neighbour').catch(() => null)
      return values
    },
  }
}

/** What the peer can account for, against what the terminal must have carried. */
async function missing(peer, session, flood) {
  if (!peer.streamStat) return {}
  const seen = await within(peer.streamStat(session), 60_000, 'stream').catch((error) => ({ error: error.message }))
  const wantBytes = flood.bytes + flood.lines
  return {
    stream: seen,
    bytesShort: seen.bytes == null ? null : Math.max(0, wantBytes - seen.bytes),
    linesShort: seen.lines == null ? null : Math.max(0, flood.lines - seen.lines + (seen.evicted ?? 0)),
  }
}
