import { z } from 'zod'
import { defineOperation } from '../call/operation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { columnsMax, rowsMax } from '../limits.ts'

export const resize = defineOperation({
  name: 'resize',
  tool: 'terminal_resize',
  title: 'Resize terminal',
  summary: 'Change the size in cells.',
  effect: 'changes',
  input: z.strictObject({
    terminalId: TerminalId,
    cols: z.number().int().min(2).max(columnsMax),
    rows: z.number().int().min(1).max(rowsMax),
  }),
  output: z.object({ terminalId: z.string(), cols: z.number().int(), rows: z.number().int() }),
  example: { terminalId: 'term-1', cols: 200, rows: 50 },
})
