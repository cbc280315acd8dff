/**
 * One session floods while a second one is used: time until the end is proven, memory, loss, and the slowdown of the
 * other session. The end is proven when the caller has a marker that the shell prints after the flood.
 *
 * Loss is counted to the byte: what a line puts on the terminal besides its command's output (its echo, the marker, the prompt)
 * is counted first with a line of the same length whose output is small and known.
 */
import { now, round, sleep, stats, within } from '../lib/measure.mjs'
import { peakRssKb, resetPeakRss, rssKb } from '../lib/processes.mjs'
import { cpuSpent, openSession, runEcho } from '../lib/session.mjs'
import { lineFile } from '../lib/workspace.mjs'

export const defaults = { kinds: ['seq', 'cat'], limit: 90_000 }

const catOf = (bytes) => `cat ${lineFile(bytes)}`

/** The output of each; `tiny` is a command of the same length, with an output of a few bytes. */
const kindsOfFlood = {
  small: () => ({
    command: 'seq 1 500000',
    bytes: 3_388_895,
    lines: 500_000,
    tiny: { command: 'seq 1 000001', bytes: 2, lines: 1 },
  }),
  seq: () => ({
    command: 'seq 1 5000000',
    bytes: 38_888_896,
    lines: 5_000_000,
    tiny: { command: 'seq 1 0000001', bytes: 2, lines: 1 },
  }),
  cat: () => ({
    command: catOf(100_000_000),
    bytes: 100_000_000,
    lines: 1_000_000,
    tiny: { command: catOf(100), bytes: 100, lines: 1 },
  }),
}

export const floodsFor = (kinds) => kinds.map((kind) => ({ kind, ...kindsOfFlood[kind]() }))

export async function run({ peer }, { kinds, limit }) {
  const result = {}
  for (const flood of floodsFor(kinds)) {
    const flooded = await openSession(peer)
    const neighbour = await openSession(peer)
    await runEcho(peer, neighbour, 99_999)
    result[flood.kind] = await oneFlood({ peer, flooded, neighbour, flood, limit })
    await peer.close(flooded).catch(() => null)
    await peer.close(neighbour).catch(() => null)
    await sleep(300)
  }
  return result
}

async function oneFlood({ peer, flooded, neighbour, flood, limit }) {
  const around = await bytesAround(peer, flooded, { ...flood, limit })
  const pids = await peer.serverPids()
  resetPeakRss(pids)
  const rssBeforeMb = megabytes(rssKb(pids))
  const count = await startCounting(peer, flooded)
  const meanwhile = useMeanwhile(peer, neighbour, limit)
  await sleep(50)

  const failed = (error) => ({ error: error.message.slice(0, 200) })
  const timed = await timeOf(peer, flooded, flood, limit).catch(failed)
  const memory = { rssBeforeMb, rssPeakMb: megabytes(peakRssKb(pids)), rssAfterMb: megabytes(rssKb(pids)) }
  const other = await meanwhile.end()
  const counted = timed.error ? {} : await unaccounted(count, flood.bytes + flood.lines + around).catch(failed)
  const error = timed.error ?? other.error ?? counted.error
  return { ...timed, ...memory, ...counted, neighbour: stats(other.values), ...(error && { error }) }
}

async function timeOf(peer, session, flood, limit) {
  const cpuBefore = await cpuSpent(peer)
  const startedAt = now()
  await within(runMarked(peer, session, { ...flood, digits: 77, limit }), limit + 5_000, flood.kind)
  const wallMs = now() - startedAt
  const cpuMs = round((await cpuSpent(peer)) - cpuBefore, 0)
  return { wallMs: round(wallMs), megabytesPerSecond: round(flood.bytes / 1e3 / wallMs, 1), cpuMs }
}

/** Two digits make the marker: a new one for each line, because an earlier one on the screen proves nothing. */
const runMarked = (peer, session, { command, digits, limit }) =>
  peer.exec(session, `${command}; echo "E"ND${digits}`, `END${digits}`, limit)

const megabytes = (kilobytes) => round(kilobytes / 1024, 1)

/** Echoes in the second session until stopped; returns the duration of each, and the reason for an early end. */
function useMeanwhile(peer, session, limit) {
  const values = []
  let over = false
  const loop = async () => {
    for (let number = 200_000; !over; number++) {
      const startedAt = now()
      await runEcho(peer, session, number, limit)
      if (!over || values.length === 0) values.push(now() - startedAt)
      await sleep(20)
    }
    return { values }
  }
  const failed = (reason) => ({ values, error: `the other session: ${reason.message.slice(0, 200)}` })
  const running = loop().catch(failed)
  return {
    end() {
      over = true
      return within(running, limit, 'its echo').catch(failed)
    },
  }
}

/** The peer's count for a line beyond the output of its command. */
async function bytesAround(peer, session, { tiny: { command, bytes, lines }, limit }) {
  const count = await startCounting(peer, session)
  await runMarked(peer, session, { command, digits: 11, limit })
  return count === null ? null : (await count()) - bytes - lines
}

/** Gives the bytes the peer accounts for since now, prompt included; null if it has no whole stream to count. */
async function startCounting(peer, session) {
  await peer.streamStart?.(session)
  const before = (await peer.streamStat?.(session))?.bytes
  if (before === undefined) return null
  return async () => {
    for (let last = -1; ; ) {
      const { bytes } = await within(peer.streamStat(session), 60_000, 'counting the stream')
      if (bytes === last) return bytes - before
      last = bytes
      await sleep(300)
    }
  }
}

/** More than the true amount is as wrong as less. */
async function unaccounted(count, want) {
  return count === null ? {} : { bytesUnaccounted: Math.abs(want - (await count())) }
}
