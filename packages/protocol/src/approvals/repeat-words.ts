/** The next move of a caller whose call needs an approval: the same call once more, in the words of the caller's face. */

import { type ErrorCode, TermError } from '../errors.ts'

export const repeatByTool = (tool: string): string => `call ${tool} again with the same input`
const byTool = /call .+? again with the same input/

/** The same error for the command line: `command` is the line that the caller has used. */
export function repeatedByCommand(error: TermError, command: string): TermError {
  if (!refusedUntilAllowed.has(error.code)) return error
  return new TermError(
    error.code,
    error.message,
    error.hint.replace(byTool, () => `run again: ${command}`),
    error.refusal,
  )
}

const refusedUntilAllowed: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['needs_approval'])

/** The id of the approval that such an error names; null for other errors. */
export function approvalIn(error: Pick<TermError, 'code' | 'message'>): string | null {
  if (error.code !== 'needs_approval') return null
  return / they are asked as (\S+)\.$/.exec(error.message)?.[1] ?? null
}
