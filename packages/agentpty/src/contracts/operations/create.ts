import { z } from 'zod'
import { SizeFields, WaitFor } from '../conditions.ts'
import { observationFields } from '../observation.ts'
import { defineOperation } from '../operation.ts'
import { TerminalName } from '../terminal-fields.ts'

export const create = defineOperation({
  name: 'create',
  tool: 'terminal_create',
  title: 'Open terminal',
  summary:
    'Open a real terminal (PTY): a shell, or `command` (string: run by the shell; array: run directly). Keeps running between calls.',
  effect: 'changes',
  input: z.strictObject({
    name: TerminalName.optional(),
    command: z.union([z.string().min(1), z.array(z.string()).min(1).max(1_000)]).optional(),
    shell: z.string().min(1).optional(),
    cwd: z.string().min(1).optional(),
    env: z.record(z.string().regex(/^[^=\0]+$/), z.string()).optional(),
    ...SizeFields,
    waitFor: WaitFor.optional(),
    waitTimeoutMs: z.number().int().min(0).max(86_400_000).optional(),
  }),
  output: z.object({
    terminalId: z.string(),
    name: z.string().optional(),
    shell: z.string().optional(),
    pid: z.number().int(),
    cols: z.number().int(),
    rows: z.number().int(),
    cwd: z.string(),
    ...observationFields,
  }),
  example: { name: 'build', cwd: '/tmp' },
})
