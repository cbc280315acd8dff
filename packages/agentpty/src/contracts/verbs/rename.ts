import { z } from 'zod'
import { defineOperation } from '../call/operation.ts'
import { TerminalId, TerminalName } from '../call/terminal-fields.ts'

export const rename = defineOperation({
  name: 'rename',
  tool: null,
  title: 'Rename terminal',
  summary: 'Give a terminal another name; its id stays.',
  effect: 'changes',
  input: z.strictObject({ terminalId: TerminalId, name: TerminalName }),
  output: z.object({ terminalId: z.string(), name: z.string() }),
  example: { terminalId: 'term-1', name: 'server' },
})
