/** Actions with a peer that several scenarios share. */
import { cpuMs, pastChildrenCpuMs } from './processes.mjs'

/** A session with its prompt ready, by the peer's best means: one call if available, create and wait otherwise. */
export async function openSession(peer, options) {
  if (peer.open) return peer.open(options)
  const session = await peer.create(options)
  await peer.waitPrompt(session)
  return session
}

/**
 * Runs `echo "X"123` and waits for X123. The echo of the typed line never contains the marker, so a match is output.
 */
export async function runEcho(peer, session, number, timeoutMs) {
  const marker = `X${number}`
  const seen = await peer.exec(session, `echo "X"${number}`, marker, timeoutMs)
  if (!seen.includes(marker)) throw new Error('the reply does not hold the marker')
}

/** The CPU time spent for the caller so far: servers, and ended clients. In-process peers count once. */
export async function cpuSpent(peer) {
  return cpuMs(await peer.serverPids()) + (peer.inProcess ? 0 : pastChildrenCpuMs())
}
