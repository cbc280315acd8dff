import { z } from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'

/** Of `terminal_ask_person`, which is no verb: only a client with a person in front of it has it. */
export const askInput = z.strictObject({ terminalId: TerminalId })
