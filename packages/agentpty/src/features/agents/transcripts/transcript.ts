/** What an agent and its program have written down of their conversation. */

import type { Usage } from '../../../contracts/agents/usage.ts'
import type { Fences } from '../fences.ts'

export interface Transcript {
  /** By what was read so far; null where it says nothing of it. */
  readonly usage: Usage | null
  /** Reads what has come. False where it is not there. */
  look(): Promise<boolean>
  /** The last answer between these fences, to the letter; null where it has none. */
  answer(fences: Fences): Promise<string | null>
}
