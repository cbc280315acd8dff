/** What an agent's program says of itself: in reports (OSC 7501), in its title, on its screen. */

import type { Millis } from '../../contracts/units.ts'

export interface AgentReport {
  readonly state: 'idle' | 'working' | 'blocked'
  /** What it asks, where it is blocked and says so. */
  readonly question: string | null
  /** It was said after the last input; before that it is what was true when the input came. */
  readonly current: boolean
  /** The terminal must have been quiet for this many ms: where nothing is said, stillness must speak. */
  readonly quietMs: Millis
  /** At work by a sign that may always stand there: not believed once nothing has moved for this many ms. Null: always. */
  readonly motionlessMs: Millis | null
  /** Time alone will change this report then; null when only an event can. */
  readonly until: Millis | null
  readonly confidence: 'certain' | 'high' | 'medium'
  readonly why: string
}
