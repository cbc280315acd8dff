import { z } from 'zod'
import { defineOperation } from '../call/operation.ts'
import { TerminalId } from '../call/terminal-fields.ts'

export const close = defineOperation({
  name: 'close',
  tool: 'terminal_close',
  title: 'Close terminals',
  summary:
    'End terminals and every process in them: terminalId, terminalIds, or all:true (those you opened). leaveDaemons spares what detached itself.',
  effect: 'destroys',
  input: z
    .strictObject({
      terminalId: TerminalId.optional(),
      terminalIds: z.array(TerminalId).min(1).max(1_000).optional(),
      all: z.boolean().optional(),
      leaveDaemons: z.boolean().optional(),
      force: z.boolean().optional(),
    })
    .refine((input) => input.terminalId || input.terminalIds || input.all, {
      message: 'name what to close: terminalId, terminalIds, or all:true',
    }),
  output: z.object({
    closed: z.array(z.string()),
    /** Processes that could not be ended: they belong to another user or hang in the kernel. */
    survivors: z.number().int().optional(),
  }),
  example: { terminalId: 'term-1' },
})
