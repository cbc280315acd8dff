/** Composes what a daemon goes on with that an earlier one has begun. */

import type { ServerClient } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { withoutOwnTerminal } from '@agentpty/protocol/session'
import { messengerOf } from '@agentpty/server/agents'
import type { EngineContext } from '@agentpty/server/call'
import type { Runs } from '@agentpty/server/pipelines'
import type { Toolsets } from './mcp.ts'

/** With what an earlier server has left. */
export function goOn(
  engine: EngineContext & { readonly pipelines: Runs },
  toolsets: Toolsets,
  { clientOf, log }: { readonly clientOf: (caller: CallContext) => ServerClient; readonly log: (text: string) => void },
): void {
  goOnWithRuns(engine.pipelines, clientOf)
  toolsets.goOn().catch((error: unknown) => log(`Queued agents: ${String(error)}`))
  engine.agents.deliverMessages(messengerOf(engine, clientOf))
}

/** As whoever has started this server, in the folder of the run; not for a scope, whose token may have been revoked. */
function goOnWithRuns(runs: Runs, clientOf: (caller: CallContext) => ServerClient): void {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const env = withoutOwnTerminal(Object.fromEntries(set))
  runs.goOn(({ client, cwd, scope }) => {
    if (scope !== null) return null
    const context = { client, cwd, env }
    const own = clientOf(context)
    return { context, call: (name, input, more) => own.call(name, input, more) }
  })
}
