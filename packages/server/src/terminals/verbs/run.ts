import type { CallContext } from '@agentpty/protocol/call'
import type { ParsedVerbInput } from '@agentpty/protocol/verbs'
import { type EngineContext, type Handler, secretsFor } from '../../call/index.ts'
import { observe } from '../steps/observe.ts'
import { runInShell } from '../steps/run-in-shell.ts'
import { waitFor, waitMs } from '../steps/wait-in-call.ts'
import { openSession } from './create.ts'

export const run: Handler<'run'> = async (engine, input, context) => {
  const begun = engine.clock.now()
  const { terminalId } = input
  const ran =
    terminalId === undefined
      ? await runFresh(engine, input, context)
      : await runInShell(engine, { ...input, session: engine.host.find(terminalId) }, context)
  return { ...ran, durationMs: Math.round((engine.clock.now() - begun) * 10) / 10 }
}

/** Runs the command in a terminal of its own, which ends with it. A command that asks something ends the wait. */
async function runFresh(engine: EngineContext, input: ParsedVerbInput<'run'>, context: CallContext) {
  const session = await openSession(engine, { command: input.command, cwd: input.cwd }, context)
  const conditions = [{ kind: 'exit' }, { kind: 'ready', confidence: 'low' }] as const
  const timeoutMs = waitMs({ waitTimeoutMs: input.timeoutMs }, context)
  const ending = await waitFor(engine.clock, session, { conditions, since: 0, timeoutMs }, context)
  const budget = { maxBytes: context.outputBytes, secrets: secretsFor(engine, context) }
  return {
    ...(await observe(session, { since: 0, ending, before: null, budget })),
    terminalId: session.info.id,
  }
}
