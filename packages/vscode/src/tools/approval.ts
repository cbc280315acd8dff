/**
 * Repeats a call that needs approval once the person has answered: they are at this window, so the call waits for them. Without an answer in
 * time, the agent receives the open approval.
 */

import { type Clock, isTermError } from '@agentpty/protocol'
import { approvalIn } from '@agentpty/protocol/approvals'
import type { Overview } from '@agentpty/protocol/overview'
import type * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'

export interface ApprovalParts {
  readonly overview: Observable<Overview | null>
  readonly clock: Clock
}

const waitMs = 60_000

/** Errors: those of the call; `needs_approval` without an answer in time. */
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

/** The approval is listed shortly after the call was refused, and disappears with its answer. */
function isAnswered({ overview, clock }: ApprovalParts, id: string, token: vscode.CancellationToken): Promise<boolean> {
  return new Promise((resolve) => {
    let wasListed = false
    const stops: (() => void)[] = []
    const end = (isOver: boolean) => {
      resolve(isOver)
      // Not during the iteration over the listeners.
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
