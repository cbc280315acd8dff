/** Composes notifications: the receivers in the settings are notified of the needs. */

import { isoTime } from '@agentpty/engine/system-clock'
import { hookCommand, webhook } from '@agentpty/mcp-http/notify'
import { isTermError } from '@agentpty/protocol'
import { type NotifySettings, notifyIn } from '@agentpty/protocol/home'
import { retryGapsMs } from '@agentpty/protocol/needs'
import type { EngineContext } from '@agentpty/server/call'
import { notifyOfNeeds, Outbox } from '@agentpty/server/needs'
import { configPath, readConfigFile } from '@agentpty/server/state'

type Engine = Pick<EngineContext, 'clock' | 'overview' | 'secrets'>

/** Notifies as the current settings say; errors in them go to the log. */
export function notifyAsSet(engine: Engine, configFolder: string, log: (text: string) => void): void {
  try {
    const settings = notifyIn(readConfigFile(configPath(configFolder)))
    if (settings !== null) startNotifications(engine, settings, log)
  } catch (error) {
    if (!isTermError(error)) throw error
    log(`Notifications are off: ${error.message}`)
  }
}

/** Nothing is watched without a receiver. */
function startNotifications(
  { clock, overview, secrets }: Engine,
  { command, webhook: url, secret, after }: NotifySettings,
  log: (text: string) => void,
): void {
  const failed = (what: string) => log(`A notification was not sent: ${what}`)
  const boxes: Outbox[] = []
  if (command !== undefined) {
    const words = typeof command === 'string' ? [command] : command
    // A program is started once for each message: a failed program may have done a part of its work.
    boxes.push(new Outbox({ clock, send: hookCommand(words, clock), retries: 0, failed }))
  }
  if (url !== undefined) {
    const send = webhook({ url, clock, isoTime, ...(secret === undefined ? {} : { secret }) })
    boxes.push(new Outbox({ clock, send, retries: retryGapsMs.length, failed }))
  }
  if (boxes.length === 0) return
  const tell: Parameters<typeof notifyOfNeeds>[0]['tell'] = (message) => {
    for (const box of boxes) box.put(message)
  }
  notifyOfNeeds({ clock, overview, secrets, afterMs: after * 1_000, tell }).catch((error: unknown) =>
    log(`Notifications have ended: ${String(error)}`),
  )
}
