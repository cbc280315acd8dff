/** What every verb that touches a terminal returns: what changed, and whose turn it is now. */

import { z } from 'zod'
import { confidences, kinds, states } from '../session/verdict.ts'

/** The verdict, spread into results. Absent fields say nothing new. */
export const verdictFields = {
  state: z.enum(states),
  kind: z.enum(kinds).optional(),
  confidence: z.enum(confidences).optional(),
  /** `answer`: a dialog is up. What is sent answers its question; an instruction would be lost in it. */
  needs: z.literal('answer').optional(),
  question: z.string().optional(),
  /** Why, in words; given when the answer is not the expected one. */
  evidence: z.array(z.string()).optional(),
  /** Of the shell command that finished last during the call, or of the program once `state` is `exited`. */
  exitCode: z.number().int().optional(),
  /** The signal that ended the program. */
  signal: z.string().optional(),
}

export const observationFields = {
  /** How the wait ended; absent when nothing was waited for. */
  outcome: z.enum(['met', 'exited', 'timeout']).optional(),
  /** The text a person would have read since the call began; for full-screen programs the rows that changed. */
  output: z.string(),
  /** Offset to read on from. */
  cursor: z.number().int(),
  missedBytes: z.number().int().optional(),
  /** What the caller should know about what happened to its input. */
  note: z.string().optional(),
  ...verdictFields,
}

export const Observation = z.object(observationFields)
export type Observation = z.infer<typeof Observation>
