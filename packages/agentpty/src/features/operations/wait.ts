import type { CallContext } from '../../contracts/operation.ts'
import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import type { Session } from '../../engine/session/session.ts'
import { conditionsOf, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { commandExitCode, verdictOf } from './steps/observe.ts'

type Waited = OperationOutput<'wait'>['terminals'][number]

export async function wait(
  engine: EngineContext,
  input: OperationInput<'wait'>,
  context: CallContext,
): Promise<OperationOutput<'wait'>> {
  const sessions = input.terminalIds.map((id) => engine.host.find(id))
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input)
  const enough = new AbortController()
  const signal = AbortSignal.any([enough.signal, ...(context.signal ? [context.signal] : [])])
  const firstOnly = input.any ?? true
  const waits = sessions.map(async (session): Promise<Waited | null> => {
    const since = session.parsedTo
    try {
      const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs }, { ...context, signal })
      if (firstOnly && ending?.outcome !== 'timeout') enough.abort()
      return report(session, since, ending === null || ending.outcome === 'cancelled' ? 'met' : ending.outcome)
    } catch (error) {
      // Another terminal was first; this one reports how it stands. A cancelled call fails as a whole.
      if (!enough.signal.aborted || context.signal?.aborted) throw error
      return null
    }
  })
  const ended = await Promise.all(waits)
  return { terminals: ended.map((one, index) => one ?? pending(sessions[index])).filter((one) => one !== null) }
}

function pending(session: Session | undefined): Waited | null {
  return session === undefined ? null : report(session, session.parsedTo, 'timeout')
}

function report(session: Session, since: number, outcome: Waited['outcome']): Waited {
  return {
    terminalId: session.info.id,
    outcome,
    cursor: session.parsedTo,
    ...commandExitCode(session, since),
    ...verdictOf(session, session.turn().verdict),
  }
}
