import * as z from 'zod'
import { TreeLimits } from '../agents/tree-limits.ts'
import { observationFields, verdictFields } from '../call/observation.ts'
import {
  Columns,
  FolderName,
  ProgramText,
  Rows,
  signals,
  TerminalId,
  TerminalName,
  VariableName,
  WaitFor,
  waitTimeoutMs,
} from '../call/terminal-fields.ts'
import { GateShown, gateSettings } from '../effects/gate.ts'
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
    gate: forModels(
      z
        .enum(gateSettings)
        .optional()
        .describe(
          'What is done about effects on files: see [Effects](effects.md). For one that is looser than the policy says, a person is asked.',
        ),
      null,
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
    gate: GateShown.optional().describe('Its gate: see [Effects](effects.md).'),
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

export const list = defineVerb({
  name: 'list',
  tool: 'terminal_list',
  title: 'List terminals',
  summary: 'All terminals with their state.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty ls', library: 'terminals.list()' },
  models: { resultFields: ['terminals'] },
  input: z.strictObject({}),
  output: z.object({
    terminals: z
      .array(
        z.object({
          terminalId: TerminalId,
          name: z.string().optional().describe('The name it was given.'),
          command: z.string().describe('What runs there now.'),
          pid: z.number().int().describe('Process id of the program.'),
          cwd: z.string().describe('Where it is now, as far as its shell tells.'),
          isActive: z.boolean().describe('The program has not ended.'),
          cursor: observationFields.cursor,
          createdAt: z.number().describe('When it was opened, in milliseconds since 1970.'),
          parent: z
            .string()
            .optional()
            .describe('The terminal whose program opened this one. Absent when it was opened from elsewhere.'),
          clientEnded: z
            .string()
            .optional()
            .describe('`client ended 2 h ago`, where the MCP client that used it is gone. Absent otherwise.'),
          clientEndedAt: z.number().optional().describe('The same in milliseconds since 1970.'),
          isPaused: z.boolean().optional().describe('Its processes are stopped until they are continued.'),
          sandbox: SandboxShown.optional().describe(
            'The walls around its program: its network, and what it may write.',
          ),
          gate: GateShown.optional().describe('Its gate: see [Effects](effects.md).'),
          ...verdictFields,
        }),
      )
      .describe('Every terminal of this agentpty, those of other clients and ended ones too.'),
  }),
  example: {},
  answer: {
    terminals: [
      {
        terminalId: 'term-1',
        name: 'build',
        command: '/bin/bash',
        pid: 7135,
        cwd: '/tmp',
        isActive: true,
        cursor: 318,
        createdAt: 1750000000000,
        state: 'ready',
        kind: 'shell',
        confidence: 'certain',
      },
      {
        terminalId: 'term-2',
        name: 'web',
        command: 'sleep 100',
        pid: 7137,
        cwd: '/tmp',
        isActive: true,
        cursor: 72,
        createdAt: 1750000004000,
        parent: 'term-1',
        state: 'busy',
        evidence: ['sleep waits for something else'],
      },
      {
        terminalId: 'term-3',
        command: 'git status --short',
        pid: 7146,
        cwd: '/tmp/repo',
        isActive: false,
        cursor: 22,
        createdAt: 1750000009000,
        state: 'exited',
        exitCode: 0,
      },
    ],
  },
})

export const close = defineVerb({
  name: 'close',
  tool: 'terminal_close',
  title: 'Close terminals',
  summary:
    'End terminals and every process in them: terminalId, terminalIds, or all:true (those you opened). leaveDaemons spares daemons.',
  effect: 'destroys',
  touches: ['terminalId', 'terminalIds'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty close', library: 'session.close()' },
  input: z
    .strictObject({
      terminalId: TerminalId.optional(),
      terminalIds: z.array(TerminalId).min(1).max(1_000).optional().describe('Terminals by their ids or names.'),
      all: z.boolean().optional().describe('Every terminal this client opened.'),
      leaveDaemons: z.boolean().optional().describe('Spare processes that left the terminal’s session.'),
      below: forModels(
        z.boolean().optional().describe('Also the terminals that were opened from them, and from those.'),
        null,
      ),
      force: forModels(z.boolean().optional().describe('Also the terminal that the caller itself runs in.'), null),
    })
    .refine((input) => input.terminalId || input.terminalIds || input.all, {
      message: 'name what to close: terminalId, terminalIds, or all:true',
    }),
  output: z.object({
    closed: z.array(z.string()).describe('Ids of the terminals that were closed.'),
    survivors: z
      .number()
      .int()
      .optional()
      .describe('Processes that could not be ended: another user’s, or stuck in the kernel.'),
  }),
  example: { terminalId: 'term-1' },
  answer: { closed: ['term-1'] },
})

export const rename = defineVerb({
  name: 'rename',
  title: 'Rename terminal',
  summary: 'Give a terminal another name; its id stays.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: ({ name }) => name,
  words: { cli: 'agentpty rename', library: 'session.rename()' },
  input: z.strictObject({ terminalId: TerminalId, name: TerminalName.describe('The name it shall have.') }),
  output: z.object({ terminalId: TerminalId, name: z.string().describe('The name it was given.') }),
  example: { terminalId: 'term-1', name: 'server' },
})

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

export const signal = defineVerb({
  name: 'signal',
  title: 'Send signal',
  summary: 'Send a signal to the program in the foreground. To interrupt it as a person would, press ctrl+c.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: ({ signal: name }) => name,
  words: { cli: 'agentpty keys', library: 'client.call("signal")' },
  input: z.strictObject({ terminalId: TerminalId, signal: z.enum(signals).describe('By its name.') }),
  output: z.object({
    signalled: z.literal(true).describe('Always `true`; a signal that reached no process is an error.'),
  }),
  example: { terminalId: 'term-1', signal: 'SIGTERM' },
})
