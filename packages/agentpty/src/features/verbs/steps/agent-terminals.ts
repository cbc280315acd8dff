/** The terminals of one call for what verbs of agents do with them: other verbs, on behalf of the same caller. */

import type { AgentTerminals } from '../../../contracts/agents/agents.ts'
import type { CallContext } from '../../../contracts/call/call-context.ts'
import { parseInput } from '../../../contracts/call/parse-input.ts'
import { type ParsedVerbInput, type VerbName, verbs } from '../../../contracts/verbs/index.ts'
import { longTurns } from '../../../engine/session/long-turns.ts'
import { searchableText } from '../../../engine/waits/searchable-text.ts'
import { close } from '../close.ts'
import { create } from '../create.ts'
import { list } from '../list.ts'
import { run } from '../run.ts'
import { screenshot } from '../screenshot.ts'
import { send } from '../send.ts'
import { wait } from '../wait.ts'
import type { EngineContext } from './engine-context.ts'
import type { Handler } from './handler.ts'

const handlers = { create, send, run, list, wait, screenshot, close }

/** The verb that is called has passed the guards; what it calls is a part of it and does not pass them again. */
export function terminalsOf(engine: EngineContext, context: CallContext): AgentTerminals {
  return {
    context,
    call: (name, input, own = {}) => {
      const { input: schema, tool, example } = verbs[name]
      const parsed = parseInput(schema, input, { name: tool ?? name, example }) as ParsedVerbInput<typeof name>
      return handlerOf(name)(engine, parsed, { ...context, ...own })
    },
    idOf: (terminalId) => engine.host.find(terminalId).info.id,
    async newestText(terminalId, bytesMax) {
      await longTurns.turn()
      const { log, parsedTo } = engine.host.find(terminalId)
      const since = Math.max(log.start, parsedTo - bytesMax)
      return searchableText(log.read({ since, until: parsedTo, maxBytes: bytesMax }).bytes)
    },
  }
}

function handlerOf<Name extends keyof typeof handlers & VerbName>(name: Name): Handler<Name> {
  const handler: { readonly [One in keyof typeof handlers]: Handler<One> } = handlers
  return handler[name]
}
