/** Whose recordings a caller sees: all without a scope, and else those of its terminals that are still there, because a file does not say whose it was. */

import type { Session } from '@agentpty/engine/session'
import type { CallContext } from '@agentpty/protocol/call'
import type { RecordingRow } from '@agentpty/protocol/recording'
import type { EngineContext } from '../call/index.ts'

export function isSeenRecording(engine: Pick<EngineContext, 'host'>, row: RecordingRow, context: CallContext): boolean {
  return context.scope === undefined || terminalOf(engine, row) !== null
}

/** Of those that the caller sees; null for one that is gone. */
export function terminalOf({ host }: Pick<EngineContext, 'host'>, { id, startedAt }: RecordingRow): Session | null {
  // Files have whole seconds. Where numbers began anew, an old file has the id of another terminal.
  const isIts = ({ info }: Session) => info.id === id && Math.floor(info.createdAt / 1_000) * 1_000 === startedAt
  return host.sessions.find(isIts) ?? null
}
