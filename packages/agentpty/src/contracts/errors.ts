/**
 * Errors of agentpty: a call that cannot be done. Planned endings (timeout, exit) are outcomes, never errors.
 *
 * Each error has a code from one table, a message with the value that caused it, and a hint that names the next move.
 */

export const errorCodes = [
  'invalid_input',
  /** The machine, its folders or its files are not as required. */
  'environment',
  'unknown_key',
  'session_not_found',
  'session_exited',
  'name_taken',
  'spawn_failed',
  'limit_reached',
  'input_full',
  'not_a_shell',
  'shell_busy',
  'line_not_empty',
  'line_too_long',
  /** What was typed stands in the input box of a program that has not taken it. */
  'not_submitted',
  'needs_answer',
  'not_asking',
  'own_terminal',
  /** The walls that were asked for cannot be put up here. */
  'sandbox_unavailable',
  /** The policy refuses it. */
  'denied',
  /** A person must allow it first, and has been asked. */
  'needs_approval',
  /** A person has said no. */
  'not_approved',
  'agent_busy',
  'cancelled',
  'daemon_gone',
  'no_daemon',
  'host_gone',
  'host_missing',
  'version_mismatch',
  'message_too_large',
  'internal',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The error that crosses every face. Recognize it by {@link isTermError}, never by `instanceof`: it may come from a wire. */
export class TermError extends Error {
  readonly code: ErrorCode
  readonly hint: string

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message)
    this.name = 'TermError'
    this.code = code
    this.hint = hint
  }
}

export function isTermError(error: unknown): error is TermError {
  return error instanceof Error && error.name === 'TermError' && 'code' in error && 'hint' in error
}
