/** How a daemon ended, in the words of the next one. */

import * as z from 'zod'

/** Written by a daemon that ends in order. */
export const DaemonEnd = z.object({
  pid: z.number().int(),
  startedAt: z.string(),
  endedAt: z.string(),
  reason: z.string(),
  /** Nothing went wrong: it was asked to end, or was idle. */
  isOrderly: z.boolean(),
  /** The socket of the ptyhost that it left. */
  hostSocket: z.string(),
})
export type DaemonEnd = z.infer<typeof DaemonEnd>

/** The name and the time of a call, and nothing of its input. */
export const LastCall = z.object({ pid: z.number().int(), name: z.string(), at: z.string() })
export type LastCall = z.infer<typeof LastCall>

export interface PreviousEnd {
  readonly isOrderly: boolean
  /** A sentence. */
  readonly text: string
}

export interface PreviousFacts {
  /** The lock that was left, when it was. */
  readonly left: { readonly pid: number; readonly isOtherBoot: boolean } | null
  readonly end: DaemonEnd | null
  readonly call: LastCall | null
}

/** Null when there was no daemon before. */
export function describePreviousEnd({ left, end, call }: PreviousFacts): PreviousEnd | null {
  if (left !== null && end?.pid !== left.pid) {
    const last = call?.pid === left.pid ? `its last call was ${call.name} at ${call.at}` : 'it had served no call'
    const restart = left.isOtherBoot ? ' The machine has restarted since.' : ''
    const text = `The previous daemon (pid ${left.pid}) ended without a record; ${last}.${restart}`
    return { isOrderly: false, text }
  }
  if (end === null) return null
  return {
    isOrderly: end.isOrderly,
    text: `The previous daemon (pid ${end.pid}) ended at ${end.endedAt}: ${end.reason}.`,
  }
}
