/** Composes the work of an earlier daemon that this one continues. */

import type { Host } from '@agentpty/engine/host'
import { isTermError, type ServerClient } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { type Paths, recordingDefaults, recordingIn } from '@agentpty/protocol/home'
import { secretHeldBytesMax } from '@agentpty/protocol/secrets'
import { messengerOf } from '@agentpty/server/agents'
import type { EngineContext } from '@agentpty/server/call'
import type { Runs } from '@agentpty/server/pipelines'
import { Recordings } from '@agentpty/server/recordings'
import { Secrets, StreamMask } from '@agentpty/server/secrets'
import { configPath, readConfigFile } from '@agentpty/server/state'
import type { Toolsets } from './mcp.ts'
import { environmentElsewhere } from './own-host.ts'

/** Continues the work that an earlier server left. */
export function goOn(
  engine: EngineContext & { readonly pipelines: Runs },
  toolsets: Toolsets,
  { clientOf, log }: { readonly clientOf: (caller: CallContext) => ServerClient; readonly log: (text: string) => void },
): void {
  goOnWithRuns(engine.pipelines, clientOf)
  toolsets.goOn().catch((error: unknown) => log(`Queued agents: ${String(error)}`))
  engine.agents.deliverMessages(messengerOf(engine, clientOf))
}

/** Continues runs as the user of this server, in the folder of the run. Not for a scope, whose token may have been revoked. */
function goOnWithRuns(runs: Runs, clientOf: (caller: CallContext) => ServerClient): void {
  const env = environmentElsewhere()
  runs.goOn(({ client, cwd, scope }) => {
    if (scope !== null) return null
    const context = { client, cwd, env }
    const own = clientOf(context)
    return { context, call: (name, input, more) => own.call(name, input, more) }
  })
}

// Composes recordings: terminals are recorded as the settings say, without the secrets of this instance.

type Engine = Pick<EngineContext, 'clock' | 'secrets'> & { readonly host: Host }

/** Records as the current settings say. With invalid settings, only requested recordings are made, and the log has the reason. */
export function recordAsSet(
  { clock, host, secrets }: Engine,
  { configFolder, recordings: folder }: Pick<Paths, 'configFolder' | 'recordings'>,
  log: (text: string) => void,
): Recordings {
  const known = secrets ?? new Secrets()
  const failed = (what: string) => log(`A recording: ${what}`)
  const mask = (offset: number, before: Uint8Array) => new StreamMask(known, offset, before)
  const options = { clock, host, folder, secrets: known, mask, leadBytes: secretHeldBytesMax, failed }
  try {
    return new Recordings({ ...options, settings: recordingIn(readConfigFile(configPath(configFolder))) })
  } catch (error) {
    if (!isTermError(error)) throw error
    log(`The settings of recordings do not count: ${error.message}`)
    return new Recordings({ ...options, settings: recordingDefaults })
  }
}
