import { z } from 'zod'
import { observationFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { FolderName, TerminalId, waitTimeoutMs, withoutNul } from '../call/terminal-fields.ts'
import { commandCharactersMax } from '../limits.ts'

export const run = defineOperation({
  name: 'run',
  tool: 'terminal_run',
  title: 'Run command',
  summary:
    'Run shell commands to their end: output and exit code. In terminalId’s shell (keeps cwd and variables), else in a fresh terminal. If it asks something or takes longer, go on with its terminalId.',
  effect: 'destroys',
  input: z.strictObject({
    command: withoutNul(z.string().min(1).max(commandCharactersMax)),
    terminalId: TerminalId.optional(),
    cwd: FolderName.optional(),
    /** Drop with ctrl+c what stands at the shell's prompt; without it, a prompt that is not empty is refused. */
    clearLine: z.boolean().optional(),
    timeoutMs: waitTimeoutMs,
  }),
  output: z.object({
    ...observationFields,
    /** Each command that was run in an open shell, when there were several, with its code where the shell told one. */
    commands: z.array(z.object({ line: z.string(), exitCode: z.number().int().optional() })).optional(),
    terminalId: z.string(),
    durationMs: z.number(),
  }),
  example: { command: 'git status --short' },
})
