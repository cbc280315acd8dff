import { z } from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { keysPerSendMax } from '../limits.ts'

export const sendKeys = defineOperation({
  name: 'sendKeys',
  tool: 'terminal_send_keys',
  title: 'Press keys',
  summary: 'Press keys: ["ctrl+c"], ["escape", ":", "w", "q", "enter"], ["down", "f10", "alt+b"].',
  effect: 'destroys',
  input: z.strictObject({
    terminalId: TerminalId,
    keys: z.array(z.string().min(1).max(40)).min(1).max(keysPerSendMax),
    waitFor: WaitFor.optional(),
    waitTimeoutMs,
  }),
  output: z.object({
    sent: z.literal(true),
    keys: z.array(z.string()),
    sequences: z.array(z.string()),
    ...observationFields,
  }),
  example: { terminalId: 'term-1', keys: ['ctrl+c'] },
})
