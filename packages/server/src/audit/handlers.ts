/** The verb that reads the journal. */

import type { Handlers } from '../call/index.ts'
import { timeline } from './verbs/timeline.ts'

export const auditHandlers = {
  timeline,
} satisfies Partial<Handlers>
