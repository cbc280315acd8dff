/** The files that rules are written in, and what was found in them. */

/** Where something is written. Lines count from 1. */
export interface RuleSource {
  readonly file: string
  readonly line: number
}

export interface PolicyProblem extends RuleSource {
  /** `wrong`: it is no rule, and has no effect. `ignored`: a rule that does not count here. `doubtful`: it works, and is hardly meant so. */
  readonly mark: 'wrong' | 'ignored' | 'doubtful'
  /** One line. */
  readonly found: string
  /** What to do next. */
  readonly advice: string
}

export const policyFileKinds = ['user', 'repository', 'codebuddy-security', 'codebuddy-permissions'] as const
export type PolicyFileKind = (typeof policyFileKinds)[number]

/** A file that may hold rules, as it was found. */
export interface PolicyFileState {
  readonly path: string
  readonly kind: PolicyFileKind
  /**
   * `absent`: there is none. `used`: its rules hold. `kept`: it is invalid, and those of the last time that it was not still hold.
   * `broken`: it is invalid and never was anything else; what is right in it holds.
   */
  readonly state: 'absent' | 'used' | 'kept' | 'broken'
  /** How many rules of it hold. */
  readonly rules: number
  readonly problems: readonly PolicyProblem[]
}
