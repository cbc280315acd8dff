/** The verbs of agents. Each reaches terminals by calls of its own caller. */

import type { Handlers } from '../call/index.ts'
import { terminalsOf } from './agent-terminals.ts'

export const agentHandlers = {
  agents: (engine, input, context, call) => engine.agents.agents(input, terminalsOf(engine, context, call)),
  artifact: (engine, input, context, call) => engine.agents.artifact(input, terminalsOf(engine, context, call)),
  awaitAgents: (engine, input, context, call) => engine.agents.awaitAgents(input, terminalsOf(engine, context, call)),
  changeLineage: (engine, input, context, call) =>
    engine.agents.changeLineage(input, terminalsOf(engine, context, call)),
  fork: (engine, input, context, call) => engine.agents.fork(input, terminalsOf(engine, context, call)),
  inbox: (engine, input, context, call) => engine.agents.inbox(input, terminalsOf(engine, context, call)),
  instruct: (engine, input, context, call) => engine.agents.instruct(input, terminalsOf(engine, context, call)),
  keepAnswer: (engine, input, context, call) => engine.agents.keepAnswer(input, terminalsOf(engine, context, call)),
  lineage: (engine, input, context, call) => engine.agents.lineage(input, terminalsOf(engine, context, call)),
  resume: (engine, input, context, call) => engine.agents.resume(input, terminalsOf(engine, context, call)),
  retry: (engine, input, context, call) => engine.agents.retry(input, terminalsOf(engine, context, call)),
  sendMessage: (engine, input, context, call) => engine.agents.sendMessage(input, terminalsOf(engine, context, call)),
  sentMessages: (engine, input, context, call) => engine.agents.sentMessages(input, terminalsOf(engine, context, call)),
  spawn: (engine, input, context, call) => engine.agents.spawn(input, terminalsOf(engine, context, call)),
  stopLineage: (engine, input, context, call) => engine.agents.stopLineage(input, terminalsOf(engine, context, call)),
} satisfies Partial<Handlers>
