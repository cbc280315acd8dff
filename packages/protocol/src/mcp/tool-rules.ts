/** What the rules of the policy say of tools, for one caller. */

import type { Stop } from '../ports.ts'
import type { ToolDescription } from './tool.ts'

export interface ToolRules {
  /** Whether no rule keeps it from the caller now. */
  allows(tool: ToolDescription): boolean
  /** A call of it is about to begin, by a client that calls itself `program`. Errors: `denied`. */
  begin(tool: ToolDescription, program: string | undefined): Promise<void>
  /** Calls each time rules have changed, until it is stopped. */
  watch(changed: () => void): Stop
}
