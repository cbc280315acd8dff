/**
 * Errors of agentpty: a call that cannot be done. Planned endings (timeout, exit) are outcomes, never errors.
 *
 * Each error has a code from one table, a message with the value that caused it, and a hint that names the next move.
 */

import type { PolicyProfile, RuleSource } from './policy/policy.ts'

export const errorCodes = [
  'invalid_input',
  /** The machine, its folders or its files are not as required. */
  'machine_unfit',
  'unknown_key',
  'session_not_found',
  'environment_not_found',
  'session_exited',
  'name_taken',
  'spawn_failed',
  'limit_reached',
  'input_full',
  'not_a_shell',
  'shell_busy',
  'line_not_empty',
  'line_too_long',
  /** The text is in the input box of a program that has not taken it. */
  'not_submitted',
  'needs_answer',
  /** A person has the keyboard; it can be tried again. */
  'person_types',
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
  /** The first lines of a call were entered, and the next one was refused: the call must not be made again as it was. */
  'partly_done',
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

/** The code in an answer or a file of this version or the one before, which said `environment` for `machine_unfit`. Unknown codes: `internal`. */
export function errorCodeOf(code: unknown): ErrorCode {
  if (code === 'environment') return 'machine_unfit'
  return errorCodes.find((one) => one === code) ?? 'internal'
}

/** The part of the policy that has refused a call, for doors that have words of their own for it. */
export interface Refusal {
  readonly rule: string
  readonly source: RuleSource | 'built-in'
  readonly profile: PolicyProfile
}

/** The error that crosses every face. Recognize it by {@link isTermError}, never by `instanceof`: it may come from a wire. */
export class TermError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  /** Null for what the policy has not refused, and for what comes from a wire. */
  readonly refusal: Refusal | null

  constructor(code: ErrorCode, message: string, hint: string, refusal: Refusal | null = null) {
    super(message)
    this.name = 'TermError'
    this.code = code
    this.hint = hint
    this.refusal = refusal
  }
}

/** The errors that most callers make: the call is wrong, a bound is reached, or this machine is not as required. */
export const invalidInput = (message: string, hint: string) => new TermError('invalid_input', message, hint)
export const limitReached = (message: string, hint: string) => new TermError('limit_reached', message, hint)
export const machineUnfit = (message: string, hint: string) => new TermError('machine_unfit', message, hint)

/** Returns the reason of a system's error without its code, call and path: "no such file or directory". */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /^[A-Z][A-Z0-9]*: (.+), [a-z]+\w*(?: '.*)?$/s.exec(message)?.[1] ?? message
}

export function isTermError(error: unknown): error is TermError {
  return error instanceof Error && error.name === 'TermError' && 'code' in error && 'hint' in error
}

/** Returns a handler for a promise's `catch`: it returns null for an error of this code, or of any code, and throws every other one again. */
export const ignoring = (code?: ErrorCode) => (error: unknown) => {
  if (isTermError(error) && (code === undefined || error.code === code)) return null
  throw error
}
