/** What faces and verbs need of the overview of all terminals. */

import type { CallerScope } from '../scope/scope.ts'
import type { OverviewEvent } from '../session/overview-event.ts'
import type { Need } from './need.ts'

export interface Overview {
  /** First all terminals, then what changes, gathered for a moment. */
  watch(scope: CallerScope | undefined, signal?: AbortSignal): AsyncGenerator<OverviewEvent, void>
  /** As they are now, the newest last. */
  needs(scope: CallerScope | undefined): Promise<readonly Need[]>
  /** Whether the program still asks for this confirmation, in the same words. */
  stillAsks(needId: string): boolean
  /** Takes a failure off the list. Errors: `not_asking` when it is not on it. */
  dismiss(needId: string, scope: CallerScope | undefined): void
}
