import * as z from 'zod'
import { TreeLimits } from '../agents/tree-limits.ts'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import {
  Columns,
  FolderName,
  ProgramText,
  Rows,
  TerminalName,
  VariableName,
  waitTimeoutMs,
} from '../call/terminal-fields.ts'
import { argumentsPerCommandMax } from '../limits.ts'
import { Sandbox, SandboxShown } from '../sandbox/sandbox.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

export const create = defineVerb({
  name: 'create',
  tool: 'terminal_create',
  title: 'Open terminal',
  summary:
    'Open a terminal (PTY): a shell, or `command` (string: by the shell; array: directly). Keeps running between calls.',
  effect: 'changes',
  touches: [],
  opensTerminal: true,
  safety: { types: null, starts: 'itself', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty new', library: 'openSession()' },
  models: {
    resultFields: ['terminalId', 'output', 'cursor', 'state'],
    searchHint: 'shell, ssh, REPL, debugger, tmux, agent',
    hasView: true,
  },
  input: z.strictObject({
    name: TerminalName.optional().describe(
      'A name to use instead of the id. For agents, one that another client uses gets a number: `server-2`.',
    ),
    command: z
      .union([ProgramText.min(1), z.array(ProgramText).min(1).max(argumentsPerCommandMax)])
      .optional()
      .describe('A string is run by the shell with `-c`, a list directly. Without it: an interactive shell.'),
    shell: defaultsTo(
      ProgramText.min(1)
        .optional()
        .describe('Path or name of the shell. bash, zsh and fish mark their prompts and commands.'),
      '`$SHELL`',
    ),
    cwd: defaultsTo(
      FolderName.optional().describe('Where it starts. A relative one counts from where the client was started.'),
      'the client’s',
    ),
    env: z
      .record(VariableName, ProgramText)
      .optional()
      .describe('Environment variables to add to those of the client.'),
    sandbox: defaultsTo(
      Sandbox.optional().describe('Walls around the program, on Linux: see [Security](security.md#the-sandbox).'),
      'none, or what the configuration wants',
    ),
    environment: forModels(
      z
        .string()
        .min(1)
        .max(40)
        .optional()
        .describe(
          'In the container of this environment: `cwd` is a folder inside, and of the caller’s variables it has none.',
        ),
      null,
    ),
    limits: forModels(
      TreeLimits.optional().describe(
        'Limits of what may be opened from it: see [Limits](agents.md#limits-and-subtrees).',
      ),
      null,
    ),
    record: forModels(
      z
        .literal(true)
        .optional()
        .describe('Record it, whatever the configuration says: see [Recordings](recordings.md#recordings).'),
      null,
    ),
    cols: defaultsTo(Columns.optional(), '120'),
    rows: defaultsTo(Rows.optional(), '30'),
    waitFor: defaultsTo(forModels(WaitFor.optional(), 'default ready; as in terminal_send'), '`"ready"`'),
    waitTimeoutMs,
  }),
  output: z.object({
    terminalId: z.string().describe('The new terminal’s id. Ids are never used twice.'),
    name: z
      .string()
      .optional()
      .describe('The name it was given; `note` says why it is another one than was asked for.'),
    shell: z.string().optional().describe('The shell that runs in it; absent with a `command`.'),
    pid: z.number().int().describe('Process id of the program.'),
    cols: z.number().int().describe('Width in cells.'),
    rows: z.number().int().describe('Height in cells.'),
    cwd: z.string().describe('Where it started.'),
    sandbox: SandboxShown.optional().describe('The walls around the program: its network, and what it may write.'),
    ...observationFields,
  }),
  example: { name: 'build', cwd: '/tmp' },
  answer: {
    terminalId: 'term-1',
    name: 'build',
    shell: '/bin/bash',
    pid: 7135,
    cols: 120,
    rows: 30,
    cwd: '/tmp',
    outcome: 'met',
    output: '$',
    cursor: 44,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})
