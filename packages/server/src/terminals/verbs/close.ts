import type { Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { EngineContext, Handler } from '../../call/index.ts'
import { assertNotOwnTree, withBelow } from '../steps/own-tree.ts'

export const close: Handler<'close'> = async (engine, input, context) => {
  const named = chosen(engine, input, context)
  const what = `Closing ${named.length > 1 ? 'these' : 'it'}`
  const leaveDaemons = input.leaveDaemons ?? false
  const closed: string[] = []
  let survivors = 0
  // What a program opens while it ends is closed as well: it has no other parent.
  for (let found = all(); found.length > 0; found = all()) {
    assertNotOwnTree(engine, found, context, { what, force: input.force === true })
    const ends = await Promise.all(found.map((session) => engine.host.close(session, { leaveDaemons })))
    survivors += ends.reduce((sum, one) => sum + one.survivors, 0)
    closed.push(...found.map(({ info }) => info.id))
  }
  return defined({ closed, survivors: survivors > 0 ? survivors : undefined })

  function all(): readonly Session[] {
    const found = input.below === true ? withBelow(engine, named) : named
    return found.filter(({ info }) => !closed.includes(info.id))
  }
}

/** All are found before any is closed: a mistyped id closes nothing. */
function chosen(engine: EngineContext, input: VerbInput<'close'>, context: CallContext): readonly Session[] {
  const named = [...(input.terminalIds ?? []), ...(input.terminalId === undefined ? [] : [input.terminalId])]
  const own = input.all ? engine.host.sessions.filter(({ info }) => info.createdBy === context.client) : []
  return [...new Set([...named.map((id) => engine.host.find(id)), ...own])]
}
