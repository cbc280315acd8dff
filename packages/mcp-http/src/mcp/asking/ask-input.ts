import { TerminalId } from '@agentpty/protocol/call'
import { leaseReasonCharactersMax } from '@agentpty/protocol/session'
import * as z from 'zod'

/** Input of `terminal_ask_person`, which is not a verb. */
export const askInput = z.strictObject({
  terminalId: TerminalId,
  /** Instead of an answer: why a person is to take the terminal over. */
  takeOver: z.string().min(1).max(leaseReasonCharactersMax).optional(),
})
