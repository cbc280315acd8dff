/** The verbs of recordings. */

import type { Handlers } from '../call/index.ts'
import { keptRecording } from './verbs/kept-recording.ts'
import { recording } from './verbs/recording.ts'
import { recordings } from './verbs/recordings.ts'

export const recordingHandlers = {
  keptRecording,
  recording,
  recordings,
} satisfies Partial<Handlers>
