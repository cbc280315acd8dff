/** Messages about needs to whom the settings name. */

import type { Millis } from '../units.ts'
import type { Need } from './need.ts'

/** `need`: a person is needed. `withdrawn`: not any more; it was answered, or what asked is gone. */
export interface NotifyMessage {
  readonly type: 'need' | 'withdrawn'
  /** Never given twice, and the same when it is sent again. */
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** Secrets are masked. */
  readonly need: Need
}

/** Resolves when the receiver has taken it. Errors: why not; then it may be tried again. */
export type SendMessage = (message: NotifyMessage) => Promise<void>

/** Messages that wait for one receiver; of too many the oldest are left out. */
export const messagesWaitingMax = 100
/** After a failure it is tried again after each of these. */
export const retryGapsMs: readonly Millis[] = [1_000, 5_000, 30_000, 120_000]
/** How long a receiver may take. */
export const webhookMsMax: Millis = 10_000
export const hookMsMax: Millis = 30_000
