/** The terminals of one call, for the verbs of agents: they call other verbs on behalf of the same caller. */

import { overTimeOf, startOf } from '@agentpty/engine/host'
import { longTurns } from '@agentpty/engine/session'
import { searchableText } from '@agentpty/engine/waits'
import type { Offset, ServerClient } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'
import type { CallContext } from '@agentpty/protocol/call'
import type { EngineContext } from '../call/index.ts'
import { describeAll } from '../terminals/index.ts'

/** As whom messages are typed: the server. Who may send one was judged when it was sent. */
export function messengerOf(
  engine: EngineContext,
  clientOf: (caller: CallContext) => Pick<ServerClient, 'call'>,
): AgentTerminals {
  const context = { client: 'messages', program: 'agentpty', cwd: '/', env: {}, partOf: 'sendMessage' }
  const client = clientOf(context)
  return terminalsOf(engine, context, (name, input, more) => client.call(name, input, more))
}

export function terminalsOf(engine: EngineContext, context: CallContext, call: ServerClient['call']): AgentTerminals {
  const textSince = async (terminalId: string, from: Offset, bytesMax: number) => {
    await longTurns.turn()
    const { log, parsedTo } = engine.host.find(terminalId)
    const since = Math.max(log.start, from, parsedTo - bytesMax)
    return searchableText(log.read({ since, until: parsedTo, maxBytes: bytesMax }).bytes)
  }
  const infoOf = (terminalId: string) => engine.host.allSessions.find(({ info }) => info.id === terminalId)?.info
  return {
    context,
    call,
    listAll: () => describeAll(engine.host.allSessions, engine.clock.wall()),
    overTime: () => engine.host.closedByLimit.map(overTimeOf),
    placeOf: (terminalId) => {
      const found = engine.host.allSessions.find(({ info }) => info.id === terminalId)
      if (found === undefined) return null
      const { name, parent, ancestors } = found.info
      return { name, parent, ancestors, hasEnded: found.exit !== null }
    },
    isSeen: (terminalId) => engine.host.known(terminalId) !== null,
    scopeOf: (terminalId) => infoOf(terminalId)?.scope ?? null,
    startOf: (terminalId) => startOf(infoOf(terminalId)),
    ancestorsOf: (terminalId) => infoOf(terminalId)?.ancestors ?? [],
    idOf: (terminalId) => engine.host.find(terminalId).info.id,
    endOf: (terminalId) => engine.host.find(terminalId).parsedTo,
    readableFolder: (terminalId) => {
      const { sandbox } = engine.host.find(terminalId).info
      return sandbox === null ? 'anywhere' : sandbox.taskFolder
    },
    textSince,
    newestText: (terminalId, bytesMax) => textSince(terminalId, 0, bytesMax),
  }
}
