/** What has gone wrong in a trial, in the words of Harbor's results. */

import { isTermError } from '@agentpty/protocol'
import type { ExceptionInfo } from '@agentpty/protocol/gym'
import { exceptionInfo } from '../harbor/trial-folder.ts'
import type { VerifierError } from '../harbor/verifier-rewards.ts'

export type PlayerFault = 'AgentTimeoutError' | 'NonZeroAgentExitCodeError' | 'AgentError'

export interface Faulty {
  readonly exception: ExceptionInfo
  /** It says nothing of who played. */
  readonly isMachinery: boolean
}

export const isCancelled = (error: unknown): boolean => isTermError(error) && error.code === 'cancelled'

/** Of an error that has ended the trial before it was judged. Errors: what is a defect of ours. */
export function faultOf(error: unknown, at: number): Faulty {
  if (!isTermError(error)) {
    const [message, traceback = ''] = error instanceof Error ? [error.message, error.stack ?? ''] : [String(error)]
    return { exception: exceptionInfo({ type: 'InternalError', message, traceback, at }), isMachinery: true }
  }
  const type =
    error.code === 'cancelled' ? 'CancelledError' : error.code === 'invalid_input' ? 'InvalidTaskError' : 'InfraError'
  return { exception: exceptionInfo({ type, message: `${error.message} ${error.hint}`, at }), isMachinery: true }
}

export function playerFault(type: PlayerFault | VerifierError, message: string, at: number): ExceptionInfo {
  return exceptionInfo({ type, message, at })
}
