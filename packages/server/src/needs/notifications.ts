/**
 * Tells receivers that a person is needed: once for each need, when nobody has answered for a while, and once more when it is not
 * needed any more. Failures wait for nobody, so nobody is told of them.
 */

import { randomBytes } from 'node:crypto'
import type { Clock, Millis, Stop } from '@agentpty/protocol'
import type { Need, NotifyMessage } from '@agentpty/protocol/needs'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Overview } from '../call/index.ts'

export interface NotificationsOptions {
  readonly clock: Clock
  readonly overview: Pick<Overview, 'watch'>
  readonly secrets: SecretValues | null
  readonly afterMs: Millis
  readonly tell: (message: NotifyMessage) => void
}

interface Known {
  need: Need
  isTold: boolean
  readonly cancel: Stop
}

/** Until `signal` is aborted. Errors: as of the overview. */
export async function notifyOfNeeds(options: NotificationsOptions, signal: AbortSignal): Promise<void> {
  const { clock, overview, afterMs, secrets, tell } = options
  const known = new Map<string, Known>()
  const message = (type: NotifyMessage['type'], need: Need): NotifyMessage => ({
    type,
    id: `msg_${randomBytes(12).toString('hex')}`,
    at: clock.wall(),
    need: secrets?.masked(need) ?? need,
  })
  const come = (need: Need) => {
    const waited = Math.max(0, clock.wall() - need.since)
    const cancel = clock.callAt(clock.now() + Math.max(0, afterMs - waited), () => {
      const one = known.get(need.needId)
      if (one === undefined) return
      one.isTold = true
      tell(message('need', one.need))
    })
    known.set(need.needId, { need, isTold: false, cancel })
  }
  try {
    for await (const { needs } of overview.watch(undefined, signal)) {
      if (needs === null) continue
      const now = new Map(needs.filter(({ kind }) => kind !== 'failure').map((need) => [need.needId, need]))
      for (const [needId, one] of known) {
        const still = now.get(needId)
        if (still !== undefined) one.need = still
        else {
          known.delete(needId)
          one.cancel()
          if (one.isTold) tell(message('withdrawn', one.need))
        }
      }
      for (const [needId, need] of now) if (!known.has(needId)) come(need)
    }
  } finally {
    for (const { cancel } of known.values()) cancel()
  }
}
