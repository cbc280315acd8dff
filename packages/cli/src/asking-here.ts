/** A client whose calls ask the person at this terminal for what needs an approval. */

import { type Client, isTermError, TermError, withCall } from '@agentpty/protocol'
import type { AtTerminal } from './read-yes.ts'

/** Keys that are passed on to a program are no command of the person: a question in the midst of them would take the next key. */
const unasked: ReadonlySet<string> = new Set(['write', 'decide'])

export function askingHere(client: Client, asking: AtTerminal): Client {
  const call: Client['call'] = async (name, input, context) => {
    for (;;) {
      try {
        return await client.call(name, input, context)
      } catch (error) {
        if (!isTermError(error) || error.code !== 'needs_approval' || unasked.has(name)) throw error
        await ask(client, error, asking)
      }
    }
  }
  return withCall(client, call)
}

/** Resolves when the call may be made again. Errors: `not_approved`; the same error where the approval is not found. */
async function ask(client: Client, error: TermError, asking: AtTerminal): Promise<void> {
  const [{ approvalIn }, { approvalQuestion }, { readYes }] = await Promise.all([
    import('@agentpty/protocol/approvals'),
    import('./commands/approval-text.ts'),
    import('./read-yes.ts'),
  ])
  const { approvals } = await client.call('approvals', {})
  const asked = approvals.find(({ approvalId }) => approvalId === approvalIn(error))
  if (asked === undefined) throw error
  asking.complain(approvalQuestion(asked))
  const isAllowed = await readYes(asking)
  try {
    await client.call('decide', { approvalId: asked.approvalId, answer: isAllowed ? 'allow' : 'deny' })
  } catch (late) {
    // With the token of a scope nothing can be answered.
    if (isTermError(late) && late.code === 'denied') throw error
    // Another answer was first, or it has expired: the next call gets what counts.
    if (!isTermError(late) || late.code !== 'not_asking') throw late
  }
  if (!isAllowed) throw new TermError('not_approved', 'You have not allowed it: it was not done.', '')
}
