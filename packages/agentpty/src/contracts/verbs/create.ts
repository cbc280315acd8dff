import { z } from 'zod'
import { SizeFields, WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { FolderName, ProgramText, TerminalName, VariableName } from '../call/terminal-fields.ts'
import { argumentsPerCommandMax } from '../limits.ts'

export const create = defineOperation({
  name: 'create',
  tool: 'terminal_create',
  title: 'Open terminal',
  summary:
    'Open a real terminal (PTY): a shell, or `command` (string: run by the shell; array: run directly). Keeps running between calls.',
  effect: 'changes',
  input: z.strictObject({
    name: TerminalName.optional(),
    command: z.union([ProgramText.min(1), z.array(ProgramText).min(1).max(argumentsPerCommandMax)]).optional(),
    shell: ProgramText.min(1).optional(),
    cwd: FolderName.optional(),
    env: z.record(VariableName, ProgramText).optional(),
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
