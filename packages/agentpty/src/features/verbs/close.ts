import type { CallContext } from '../../contracts/call/call-context.ts'
import { defined } from '../../contracts/defined.ts'
import { ownTerminalError, terminalVariable } from '../../contracts/session/own-terminal.ts'
import type { VerbInput } from '../../contracts/verbs/index.ts'
import type { Session } from '../../engine/session/session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import type { Handler } from './steps/handler.ts'

export const close: Handler<'close'> = async (engine, input, context) => {
  const sessions = chosen(engine, input, context)
  if (!input.force) assertNotOwn(sessions, context)
  const leaveDaemons = input.leaveDaemons ?? false
  const closed = await Promise.all(sessions.map((session) => engine.host.close(session, { leaveDaemons })))
  const survivors = closed.reduce((sum, one) => sum + one.survivors, 0)
  return defined({ closed: sessions.map(({ info }) => info.id), survivors: survivors > 0 ? survivors : undefined })
}

/** An agent that tidies up must not end itself. Errors: `own_terminal`. */
function assertNotOwn(sessions: readonly Session[], { env }: CallContext): void {
  const own = sessions.find(({ info, exit }) => info.id === env[terminalVariable] && exit === null)
  if (own !== undefined) throw ownTerminalError(own.info.id, `Closing ${sessions.length > 1 ? 'these' : 'it'}`)
}

/** All are found before any is closed: a mistyped id closes nothing. */
function chosen(engine: EngineContext, input: VerbInput<'close'>, context: CallContext): readonly Session[] {
  const named = [...(input.terminalIds ?? []), ...(input.terminalId === undefined ? [] : [input.terminalId])]
  const own = input.all ? engine.host.sessions.filter(({ info }) => info.createdBy === context.client) : []
  return [...new Set([...named.map((id) => engine.host.find(id)), ...own])]
}
