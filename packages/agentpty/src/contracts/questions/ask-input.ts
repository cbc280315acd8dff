import { z } from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'

/** Input of `terminal_ask_person`, which is not a verb: only a client with a person in front of it has it. */
export const askInput = z.strictObject({ terminalId: TerminalId })
