/** What an agent's program says of itself: in reports (OSC 7501), in its title, on its screen. */

import type { Millis } from '@agentpty/protocol'

export interface AgentReport {
  readonly state: 'idle' | 'working' | 'blocked'
  /** The question that it asks, when it reports that it is blocked. */
  readonly question: string | null
  /** The report came after the last input; an older one says what was true when the input came. */
  readonly current: boolean
  /** The terminal must have been quiet for this many ms: without a report, stillness is the evidence. */
  readonly quietMs: Millis
  /**
   * At work by a sign that may always be on the screen: not believed once nothing has moved for this many ms. Null:
   * always believed.
   */
  readonly motionlessMs: Millis | null
  /** Time alone will change this report then; null when only an event can. */
  readonly until: Millis | null
  readonly confidence: 'certain' | 'high' | 'medium'
  readonly why: string
}
