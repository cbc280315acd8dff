/** The policy's judgement of a shell line before it runs, for all interfaces and guards. */

import * as z from 'zod'

/** Strictest first. */
export const policyProfiles = ['restricted', 'standard', 'trusted', 'off'] as const
export type PolicyProfile = (typeof policyProfiles)[number]
export const policyShells = ['bash', 'sh', 'zsh', 'fish', 'pwsh', 'powershell', 'cmd'] as const
export type PolicyShell = (typeof policyShells)[number]
export type PolicyVerdict = 'allow' | 'ask' | 'deny'

/** Where a line would run. */
export interface PolicySituation {
  /** In place of the user’s; a repository may still tighten it. Null: as the user has it. */
  readonly profile: PolicyProfile | null
  readonly shell: PolicyShell
  /** Also the workspace: the agent may change everything below it. */
  readonly cwd: string
  readonly home: string
  /** `built-in`: no file is read. */
  readonly rules: 'built-in' | 'files'
  /** The terminal has a gate that asks. */
  readonly isGated: boolean
}

export interface PolicyAnswer {
  readonly verdict: PolicyVerdict
  readonly rule: string
  /** The simple command that decided, as far as it could be resolved; empty when nothing speaks against the line. */
  readonly resolved: string
  /** One sentence for an agent, which names the next move. */
  readonly reason: string
  /** One sentence for a person: what the line does. */
  readonly personReason: string
  /** Where the rule that decided is written. */
  readonly source: RuleSource | 'built-in'
}

/** One terminal, in which what a line leaves behind holds for the next. */
interface PolicyTerminal {
  /** Judges a submitted text, or the writes that make it up. */
  readonly judge: (command: string | readonly string[]) => PolicyAnswer
}

export type OpenPolicyTerminal = (situation: PolicySituation) => PolicyTerminal

/** One line of `agentpty policy check --jsonl`. */
const policyLine = z.object({
  id: z.union([z.string(), z.number()]),
  command: z.union([z.string(), z.array(z.string())]),
  shell: z.enum(policyShells).default('bash'),
  cwd: z.string().startsWith('/').optional(),
  home: z.string().startsWith('/').optional(),
})
export type PolicyLine = z.infer<typeof policyLine>

/** The line, or what is wrong with it. */
export function parsePolicyLine(text: string): PolicyLine | { readonly error: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // A line that is no JSON is reported like one of the wrong shape.
    return { error: 'not JSON; a line is {"id":"1","command":"ls","shell":"bash"}' }
  }
  const parsed = policyLine.safeParse(value)
  if (parsed.success) return parsed.data
  return { error: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'line'}: ${message}`).join('; ') }
}

// The files that rules are written in, and what was found in them.

/** Where something is written. Lines count from 1. */
export interface RuleSource {
  readonly file: string
  readonly line: number
}

export interface PolicyProblem extends RuleSource {
  /** `wrong`: it is no rule, and has no effect. `ignored`: a rule that does not count here. `doubtful`: it works, and is hardly meant so. */
  readonly mark: 'wrong' | 'ignored' | 'doubtful'
  readonly found: string
  /** The next step for the caller. */
  readonly advice: string
}

const policyFileKinds = ['user', 'repository', 'codebuddy-security', 'codebuddy-permissions'] as const
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
