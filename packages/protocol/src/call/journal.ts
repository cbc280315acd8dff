/** What keeps a record of calls: what the pipeline tells it of each, and what guards tell it of what they have judged. */

import type { ErrorCode } from '../errors.ts'
import type { PolicyProfile, PolicyVerdict } from '../policy/policy.ts'
import type { RuleSource } from '../policy/policy-files.ts'
import type { Call } from './guard.ts'

export type Outcome = 'done' | ErrorCode

export interface Journal {
  /** Gets each call once it has ended, with `done` and its result, or the code of its error. */
  readonly note: (call: Call, outcome: Outcome, result?: unknown) => void
  /** Gets what `note` threw, a defect of the journal: a call that was done must not look failed, or somebody does it again. */
  readonly failed: (error: unknown) => void
}

/** What a guard has judged of a call. */
export interface JudgedNote {
  readonly verdict: PolicyVerdict
  readonly rule: string
  readonly source: RuleSource | 'built-in'
  readonly profile: PolicyProfile
  readonly profileSource: RuleSource | null
  readonly resolved: string
  readonly reason: string
  /** What would be typed or started; null where nobody may know it. */
  readonly text: string | null
  /** How many bytes would be typed; null where nobody may know it, and for a program that is started. */
  readonly bytes: number | null
  readonly cwd: string
  /** The approval that it waits for, or that let it through. */
  readonly approvalId: string | null
}

/** Tells of a call that was judged, before it goes on or is refused; returns the id by which persons may name it, or null. */
export type NoteJudged = (call: Call, judged: JudgedNote) => string | null
