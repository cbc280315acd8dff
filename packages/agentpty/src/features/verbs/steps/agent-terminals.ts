/** The terminals of one call, for the verbs of agents: they call other verbs on behalf of the same caller. */

import type { AgentTerminals } from '../../../contracts/agents/agents.ts'
import type { CallContext } from '../../../contracts/call/call-context.ts'
import type { Client } from '../../../contracts/client.ts'
import type { Offset } from '../../../contracts/units.ts'
import { longTurns } from '../../../engine/session/long-turns.ts'
import { searchableText } from '../../../engine/waits/searchable-text.ts'
import { describeAll } from '../list.ts'
import type { EngineContext } from './engine-context.ts'

export function terminalsOf(engine: EngineContext, context: CallContext, call: Client['call']): AgentTerminals {
  const textSince = async (terminalId: string, from: Offset, bytesMax: number) => {
    await longTurns.turn()
    const { log, parsedTo } = engine.host.find(terminalId)
    const since = Math.max(log.start, from, parsedTo - bytesMax)
    return searchableText(log.read({ since, until: parsedTo, maxBytes: bytesMax }).bytes)
  }
  return {
    context,
    call,
    listAll: () => describeAll(engine.host.allSessions),
    scopeOf: (terminalId) => engine.host.allSessions.find(({ info }) => info.id === terminalId)?.info.scope ?? null,
    idOf: (terminalId) => engine.host.find(terminalId).info.id,
    endOf: (terminalId) => engine.host.find(terminalId).parsedTo,
    seesFiles: (terminalId) => engine.host.find(terminalId).info.sandbox === null,
    textSince,
    newestText: (terminalId, bytesMax) => textSince(terminalId, 0, bytesMax),
  }
}
