import { TermError } from '../../contracts/errors.ts'
import { terminalVariable } from '../../contracts/session/own-terminal.ts'
import type { Handler } from './steps/handler.ts'

export const decide: Handler<'decide'> = async ({ approvals }, { approvalId, answer }, { client, env }) => {
  if (env[terminalVariable] !== undefined)
    throw new TermError(
      'denied',
      `${approvalId} cannot be answered from inside a terminal of agentpty: whoever asks must not answer.`,
      'A person answers it in a terminal of their own: agentpty approvals',
    )
  return { approval: approvals.decide(approvalId, { isAllowed: answer === 'allow', by: client }) }
}
