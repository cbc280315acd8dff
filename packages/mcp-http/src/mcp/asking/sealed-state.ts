/** The state between a question to a person and its answer: clients carry it, sealed. */

import { randomBytes } from 'node:crypto'
import { createRequestStateCodec } from '@modelcontextprotocol/server'

/** A question of a program. */
export interface PendingQuestion {
  readonly questionId: string
  readonly terminalId: string
  readonly cursor: number
  readonly way: 'form' | 'page' | 'terminal'
}

/** What an agent wants to do. */
export interface PendingApproval {
  readonly approvalId: string
}

const sealed = createRequestStateCodec<PendingQuestion | PendingApproval>({ key: randomBytes(32) })

export const seal: typeof sealed.mint = (state) => sealed.mint(state)

/** A state that this daemon has not sealed is ignored: the question is asked again. */
export const verifyPending: typeof sealed.verify = async (state, context) => {
  try {
    return await sealed.verify(state, context)
  } catch {
    return undefined as never
  }
}
