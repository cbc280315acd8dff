/** A client whose program decides what its calls may do. */

import { isTermError, type ServerClient, withCall } from '@agentpty/protocol'
import type { Approval } from '@agentpty/protocol/approvals'
import { errorInWordsOf } from '@agentpty/protocol/call'

/** True: it is done, this once. False or an error: it is not, and the call fails. */
export type Approve = (approval: Approval) => boolean | Promise<boolean>

/** Asks `approve` for each call that needs an approval, and repeats the call with the answer. */
export function approving(client: ServerClient, approve: Approve): ServerClient {
  const call: ServerClient['call'] = async (name, input, context) => {
    let asked: Approval | null = null
    const approvalAsked = (approval: Approval) => {
      asked = approval
    }
    try {
      return await client.call(name, input, { ...context, approvalAsked })
    } catch (error) {
      if (asked === null || !isTermError(error) || error.code !== 'needs_approval') throw error
      await decide(client, asked, approve)
      return client.call(name, input, context)
    }
  }
  return withCall(client, call)
}

async function decide(client: ServerClient, approval: Approval, approve: Approve): Promise<void> {
  const isAllowed = await approve(approval)
  await client.call('decide', { approvalId: approval.approvalId, answer: isAllowed === true ? 'allow' : 'deny' })
}

/** Rewrites errors of the library so that they name its own methods. */
export function inLibraryWords<Result>(calling: Promise<Result>): Promise<Result> {
  return calling.catch((error: unknown) => {
    throw isTermError(error) ? errorInWordsOf('library', error) : error
  })
}
