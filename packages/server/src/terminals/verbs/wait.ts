import type { Session } from '@agentpty/engine/session'
import type { Verdict } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { Handler } from '../../call/index.ts'
import { verdictAfter } from '../steps/observe.ts'
import { commandExitCode, verdictOf } from '../steps/verdict-fields.ts'
import { conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

type Waited = VerbOutput<'wait'>['terminals'][number]

export const wait: Handler<'wait'> = async (engine, input, context) => {
  const sessions = input.terminalIds.map((id) => engine.host.find(id))
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input, context)
  const enough = new AbortController()
  const signal = AbortSignal.any([enough.signal, ...(context.signal ? [context.signal] : [])])
  const firstOnly = input.any ?? true
  const waits = sessions.map(async (session, index): Promise<Waited> => {
    const since = input.since?.[index] ?? session.parsedTo
    try {
      const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs }, { ...context, signal })
      if (firstOnly && ending?.outcome !== 'timeout') enough.abort()
      const outcome = ending === null || ending.outcome === 'cancelled' ? 'met' : ending.outcome
      return { ...report(session, since, await verdictAfter(session, ending)), outcome }
    } catch (error) {
      // Another terminal was first; this one reports how it stands. A cancelled call fails as a whole.
      if (!enough.signal.aborted || context.signal?.aborted) throw error
      return report(session, since, session.turn().verdict)
    }
  })
  return { terminals: await Promise.all(waits) }
}

function report(session: Session, since: number, verdict: Verdict): Waited {
  return {
    terminalId: session.info.id,
    cursor: session.parsedTo,
    ...commandExitCode(session, { since, until: session.parsedTo }),
    ...verdictOf(session, verdict),
  }
}
