/** The terminals of one call, for the verbs of agents: they call other verbs on behalf of the same caller. */

import { overTimeOf, startOf } from '@agentpty/engine/host'
import { longTurns } from '@agentpty/engine/session'
import { searchableText } from '@agentpty/engine/waits'
import { defined, ignoring, invalidInput, type Offset, type ServerClient } from '@agentpty/protocol'
import type { Adapter, AgentTerminals } from '@agentpty/protocol/agents'
import type { CallContext } from '@agentpty/protocol/call'
import { terminalVariable } from '@agentpty/protocol/session'
import type { ListedAgent, ListedTerminal, VerbOutput } from '@agentpty/protocol/verbs'
import type { EngineContext } from '../call/index.ts'
import { describeAll } from '../terminals/index.ts'
import type { KeptByTerminal } from './kept-nodes.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

/** The context in which messages are typed: the server's own. The right to send each message was judged when it was sent. */
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

/** Closes a terminal. A terminal that was closed meanwhile is no error. Errors: `own_terminal`. */
export async function closeTerminal(terminalId: string, terminals: AgentTerminals): Promise<void> {
  await terminals.call('close', { terminalId }).catch(ignoring('session_not_found'))
}

/** The caller's own terminal; null outside of terminals of this server. */
export function ownIdOf({ context, placeOf }: AgentTerminals): string | null {
  const own = context.env[terminalVariable]
  return own === undefined || placeOf(own) === null ? null : own
}

/** Errors: `invalid_input` outside of terminals; `why` says what that means. */
export function ownTerminal(terminals: AgentTerminals, why: string, hint: string): string {
  const own = ownIdOf(terminals)
  if (own !== null) return own
  throw invalidInput(`You run in no terminal of agentpty, so ${why}.`, hint)
}

/** Whether the caller has started it, or is it where that counts. From outside of terminals all are led. */
export function leads(terminalId: string, terminals: AgentTerminals, own: 'too' | 'not'): boolean {
  const ownId = ownIdOf(terminals)
  if (ownId === null || (own === 'too' && ownId === terminalId)) return true
  return terminals.placeOf(terminalId)?.ancestors.includes(ownId) === true
}

/** The agents that the caller sees: what is kept of them, and what their terminals show. */
export async function listAgents(
  { kept, transcripts, adapters }: ListedBy,
  terminals: AgentTerminals,
): Promise<VerbOutput<'agents'>> {
  const { terminals: seen } = await terminals.call('list', {})
  await transcripts.look(seen.map(({ terminalId }) => terminalId).filter((id) => kept.agentOf(id) !== null))
  return { agents: seen.flatMap((terminal) => shownOf(terminal, { kept, transcripts, adapters })) }
}

interface ListedBy {
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
  readonly adapters: readonly Adapter[]
}

function shownOf(terminal: ListedTerminal, { kept, transcripts, adapters }: ListedBy): readonly ListedAgent[] {
  const { terminalId, name, cwd, state, kind, confidence, needs, question, evidence, exitCode, signal } = terminal
  const agent = kept.agentOf(terminalId)
  const task = kept.taskOf(terminalId)
  if (agent === null) return []
  const answered = kept.artifactOf(terminalId)?.taskId
  return [
    defined({
      terminalId,
      name,
      type: agent.type,
      asksForAnswer: adapters.find((one) => one.name === agent.type)?.asksForAnswer ?? false,
      conversation: agent.conversation ?? undefined,
      taskId: task?.taskId,
      instructedAt: task?.givenAt,
      isAnswered: task === null ? undefined : answered === task.taskId,
      usage: transcripts.usageOf(terminalId) ?? undefined,
      cwd,
      state,
      kind,
      confidence,
      needs,
      question,
      evidence,
      exitCode,
      signal,
    }),
  ]
}
