import * as z from 'zod'
import { LineageNode, NodeId } from '../agents/lineage.ts'
import { TreeLimits } from '../agents/tree-limits.ts'
import { waitTimeoutMs } from '../call/terminal-fields.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { create } from './create.ts'
import { defaultsTo, defineVerb } from './verb.ts'

/** As in `create`, which checks them when the terminal is opened. */
const start = {
  agent: z
    .string()
    .min(1)
    .optional()
    .describe('In place of a command: an agent by its name (`agentpty agents` lists them), or any command line.'),
  throughShell: z
    .enum(['always', 'never', 'unless-set'])
    .optional()
    .describe(
      'Whether the user’s shell starts it, with its start-up files. `unless-set`: where its settings do not say. Without it: where they say so.',
    ),
  model: z.string().min(1).optional().describe('Which model the agent uses; else the one of its settings, or its own.'),
  name: z
    .string()
    .optional()
    .describe('A name to use instead of the id. For agents, one that another client uses gets a number: `server-2`.'),
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('A string is run by the shell with `-c`, a list directly. Without it: an interactive shell.'),
  shell: z.string().optional().describe('Path or name of the shell.'),
  cwd: z.string().optional().describe('Where it starts.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables to add to those of the client.'),
  sandbox: Sandbox.optional().describe('Walls around the agent, as in `create`.'),
  limits: TreeLimits.optional().describe('Limits of what it may open, as in `create`.'),
}

export const spawn = defineVerb({
  name: 'spawn',
  tool: null,
  title: 'Start agent',
  summary: 'Start an agent in a terminal of its own, and instruct it once it can take an instruction.',
  effect: 'changes',
  touches: 'own',
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: ({ command }) => [command ?? []].flat().join(' '),
  words: { cli: 'agentpty agent spawn', library: 'client.call("spawn")' },
  input: z.strictObject({
    ...start,
    label: z
      .string()
      .max(200)
      .optional()
      .describe('What people are shown for it: any text. Without a `name` it gives one, where it can and none has it.'),
    instruction: z
      .string()
      .optional()
      .describe('Typed when the agent can take it, or after 30 s; never into a dialog.'),
    asksForAnswer: defaultsTo(
      z.boolean().optional().describe('As in `instruct`.'),
      '`true` for agents that are known by name',
    ),
    atDialog: defaultsTo(
      z
        .enum(['end', 'wait'])
        .optional()
        .describe(
          'For an agent that asks something before it takes its instruction. `end`: it is not instructed. `wait`: it is once somebody has answered, and has not finished before.',
        ),
      '`"end"`',
    ),
    nodeId: NodeId.optional().describe('Start it again in this node, whose terminal is closed first.'),
    waitTimeoutMs,
  }),
  output: z.object({
    terminal: create.output.nullable().describe('As `create` gives it; null when there is no such program.'),
    suggestions: z.array(z.string()).describe('Agents that could be started instead, when there is no such program.'),
    notInstructed: z.string().nullable().describe('Why the instruction was not typed; null when nothing was left out.'),
    isInstructedLater: z.boolean().describe('It is typed once somebody has answered what the agent asks.'),
    isThroughShell: z.boolean().describe('The user’s shell has started it.'),
    taskId: z.string().nullable().describe('The task of its instruction; null without one, and when it was not typed.'),
    node: LineageNode.nullable().describe('The node in which it was started again.'),
  }),
  example: { command: 'codex', cwd: '/tmp', instruction: 'fix the test' },
  answer: {
    terminal: {
      terminalId: 'term-4',
      pid: 7150,
      cols: 120,
      rows: 30,
      cwd: '/tmp',
      outcome: 'met',
      output: '› ',
      cursor: 940,
      state: 'ready',
      kind: 'agent',
      confidence: 'high',
    },
    suggestions: [],
    notInstructed: null,
    isInstructedLater: false,
    isThroughShell: false,
    taskId: 'task-1',
    node: null,
  },
})
