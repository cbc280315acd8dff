import * as z from 'zod'
import { observationFields } from '../call/observation.ts'
import { FolderName, IfTaken, TerminalId, waitTimeoutMs, withoutNul } from '../call/terminal-fields.ts'
import { commandCharactersMax } from '../limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

export const run = defineVerb({
  name: 'run',
  tool: 'terminal_run',
  title: 'Run command',
  summary:
    'Run shell commands to their end: output and exit code. In terminalId’s shell (keeps cwd and variables), else in a fresh terminal. If it asks something or takes longer, go on with its terminalId.',
  effect: 'destroys',
  touches: ['terminalId'],
  opensTerminal: true,
  safety: { types: 'terminalId', starts: 'itself', yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty run', library: 'session.run()' },
  models: { resultFields: ['terminalId', 'output', 'outcome', 'exitCode', 'commands'] },
  input: z.strictObject({
    command: withoutNul(z.string().min(1).max(commandCharactersMax)).describe(
      'Lines for the shell. In a `terminalId` they are typed one by one, each when the shell has taken the one before.',
    ),
    terminalId: TerminalId.optional().describe(
      'A shell at its prompt. Without it the command gets a terminal of its own, which ends with it.',
    ),
    cwd: defaultsTo(
      FolderName.optional().describe('Where to run it. In a `terminalId` the shell changes there and stays.'),
      'the client’s, or the shell’s',
    ),
    clearLine: z
      .boolean()
      .optional()
      .describe(
        'Drop what stands at the shell’s prompt first, by ctrl+c. Without it, a prompt that is not empty is refused with `line_not_empty`.',
      ),
    ifTaken: forModels(IfTaken, null),
    timeoutMs: waitTimeoutMs.describe('As `waitTimeoutMs` elsewhere.'),
  }),
  output: z.object({
    ...observationFields,
    commands: z
      .array(
        z.object({
          line: z.string().describe('A command as it was typed.'),
          exitCode: z.number().int().optional(),
        }),
      )
      .optional()
      .describe('In a `terminalId`, where there were several: the `line` of each command and its `exitCode`.'),
    terminalId: z.string().describe('Where it ran. A terminal of its own stays readable after the command.'),
    durationMs: z.number().describe('How long it took.'),
  }),
  example: { command: 'git status --short' },
  answer: {
    outcome: 'met',
    output: '?? report.py',
    cursor: 22,
    state: 'exited',
    exitCode: 0,
    terminalId: 'term-3',
    durationMs: 5.4,
  },
})
