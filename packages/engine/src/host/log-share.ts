/** Computes how much output a new terminal keeps, so that the logs of all terminals together stay within their limit. */

import { logBytesMin } from '@agentpty/protocol'
import type { Config } from '@agentpty/protocol/home'
import type { Session } from '../session/session.ts'

/** The largest part of the remaining bytes that one terminal takes. */
const shareMax = 1 / 8

/** `opening`: terminals that are being opened, including this one. */
export function logShare(
  sessions: readonly Pick<Session, 'info' | 'exit' | 'log'>[],
  opening: number,
  { logBytes, logBytesTotal, sessionsMax }: Pick<Config, 'logBytes' | 'logBytesTotal' | 'sessionsMax'>,
): number {
  const taken = sessions.reduce((sum, session) => sum + takenBy(session), (opening - 1) * logBytes)
  // Each terminal that may still be opened gets the smallest log.
  const later = Math.max(0, sessionsMax - sessions.length - opening) * logBytesMin
  const share = Math.floor(Math.max(0, logBytesTotal - taken - later) * shareMax)
  return Math.min(logBytes, Math.max(logBytesMin, share))
}

/** A program that has ended prints nothing more. */
function takenBy({ info, exit, log }: Pick<Session, 'info' | 'exit' | 'log'>): number {
  return exit === null ? info.logBytes : log.end - log.start
}
