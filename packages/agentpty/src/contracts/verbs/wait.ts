import { z } from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { verdictFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'

export const wait = defineOperation({
  name: 'wait',
  tool: 'terminal_wait',
  title: 'Wait for terminals',
  summary:
    'Wait on terminals until one (any:false: each) meets waitFor (default ready). since: a cursor each; default now.',
  effect: 'reads',
  input: z.strictObject({
    terminalIds: z.array(TerminalId).min(1).max(64),
    /** Where output begins to count, an offset for each terminal in their order; without it, now. */
    since: z.array(z.number().int().min(0)).max(64).optional(),
    waitFor: WaitFor.optional(),
    any: z.boolean().optional(),
    waitTimeoutMs,
  }),
  output: z.object({
    terminals: z.array(
      z.object({
        terminalId: z.string(),
        /** Absent where another terminal came first. */
        outcome: z.enum(['met', 'exited', 'timeout']).optional(),
        cursor: z.number().int(),
        ...verdictFields,
      }),
    ),
  }),
  example: { terminalIds: ['term-1', 'term-2'], waitFor: 'command' },
})
