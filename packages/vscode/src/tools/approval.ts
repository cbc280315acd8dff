/**
 * A call that a person must allow first: the person is there, in front of this window, so it is waited for their answer and called again.
 * Who does not answer leaves it open, and the agent is told so.
 */

import { type Clock, isTermError } from '@agentpty/protocol'
import { approvalIn } from '@agentpty/protocol/approvals'
import type { Overview } from '@agentpty/protocol/overview'
import type * as vscode from 'vscode'
import type { Held } from '../link/held.ts'

export interface ApprovalParts {
  readonly overview: Held<Overview | null>
  readonly clock: Clock
}

const waitMs = 60_000

/** Errors: those of the call; `needs_approval` when nobody has answered in time. */
export async function withApproval<Result>(
  parts: ApprovalParts,
  token: vscode.CancellationToken,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const id = isTermError(error) ? approvalIn(error) : null
    if (id === null || !(await isAnswered(parts, id, token))) throw error
    return await call()
  }
}

/** It is listed a moment after the call was refused, and is not any more once there is an answer. */
function isAnswered({ overview, clock }: ApprovalParts, id: string, token: vscode.CancellationToken): Promise<boolean> {
  return new Promise((resolve) => {
    let wasListed = false
    const stops: (() => void)[] = []
    const end = (isOver: boolean) => {
      resolve(isOver)
      // Not while the list of listeners is being told.
      queueMicrotask(() => {
        for (const stop of stops) stop()
      })
    }
    const cancelled = token.onCancellationRequested(() => end(false))
    stops.push(
      () => cancelled.dispose(),
      clock.callAt(clock.now() + waitMs, () => end(false)),
      overview.subscribe((now) => {
        const isListed = now?.needs.some(({ needId }) => needId === id) === true
        if (wasListed && !isListed && now !== null) end(true)
        wasListed ||= isListed
      }),
    )
  })
}
