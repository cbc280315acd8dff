import * as z from 'zod'
import { Columns, Rows, TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const resize = defineVerb({
  name: 'resize',
  tool: 'terminal_resize',
  title: 'Resize terminal',
  summary: 'Change the size in cells.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: ({ cols, rows }) => `${cols}x${rows}`,
  words: { cli: 'agentpty resize', library: 'session.resize()' },
  input: z.strictObject({ terminalId: TerminalId, cols: Columns, rows: Rows }),
  output: z.object({
    terminalId: TerminalId,
    cols: z.number().int().describe('Width in cells.'),
    rows: z.number().int().describe('Height in cells.'),
  }),
  example: { terminalId: 'term-1', cols: 200, rows: 50 },
  answer: { terminalId: 'term-1', cols: 200, rows: 50 },
})
