/** Asks the policy about a line outside of the daemon, with the same rules and files. */

import { TermError } from '@agentpty/protocol'
import type { RunProgram } from '../link/run-program.ts'
import type { PolicyVerdict } from './observed-tools.ts'

/** A line that cannot be judged does not run. Errors: those of the program. */
export const judgeBy =
  (run: RunProgram) =>
  async (line: string, cwd: string): Promise<PolicyVerdict> => {
    const asked = JSON.stringify({ id: 1, command: line, cwd })
    const { verdict, rule, reason, personReason } = await run(['policy', 'check', '--jsonl'], `${asked}\n`)
    if ((verdict !== 'allow' && verdict !== 'ask' && verdict !== 'deny') || typeof rule !== 'string')
      throw new TermError('internal', 'The policy has returned no verdict.', 'Run in a terminal: agentpty doctor')
    return { verdict, rule, reason: String(reason), personReason: String(personReason) }
  }
