/** The text of an error for doors whose systems show a message alone. */

import type { ErrorCode, TermError } from '@agentpty/protocol'

/** Those systems have no words for them, and without the next move an agent gives up. */
const ofPolicy: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['denied', 'needs_approval', 'not_approved', 'partly_done'])

export function errorText({ code, message, hint }: Pick<TermError, 'code' | 'message' | 'hint'>): string {
  return ofPolicy.has(code) && hint !== '' ? `${message} ${hint}` : message
}
