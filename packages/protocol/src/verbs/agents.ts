import * as z from 'zod'
import { Worktree } from '../agents/kept-agents.ts'
import { LineageNode, NodeId, Usage } from '../agents/lineage.ts'
import { TreeLimits } from '../agents/tree-limits.ts'
import { verdictFields } from '../call/observation.ts'
import { TerminalId, TerminalName, waitTimeoutMs } from '../call/terminal-fields.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { create } from './terminals.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const agents = defineVerb({
  name: 'agents',
  title: 'List agents',
  summary: 'The agents that were started as such, what each was asked to do last, and whether it has answered.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent ls', library: 'client.call("agents")' },
  input: z.strictObject({}),
  output: z.object({
    agents: z
      .array(
        z.object({
          terminalId: TerminalId,
          name: z.string().optional().describe('The name of its terminal.'),
          type: z.string().describe('What was started: the name of a known agent, or a command line.'),
          asksForAnswer: z
            .boolean()
            .describe('It is asked for its answers between fences unless a task says otherwise.'),
          conversation: z.string().optional().describe('Its conversation, as its program calls it.'),
          taskId: z.string().optional().describe('What it was instructed to do last.'),
          instructedAt: z.number().optional().describe('When, in milliseconds since 1970.'),
          isAnswered: z.boolean().optional().describe('Its answer to that is kept: the artifact.'),
          usage: Usage.optional().describe('What it has used; absent where its program does not tell.'),
          cwd: z.string().describe('Where it is.'),
          ...verdictFields,
        }),
      )
      .describe('In the order in which their terminals were opened.'),
  }),
  example: {},
})

/** The same as in `create`, which checks them when the terminal is opened. */
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
          'For an agent that asks something before it takes its instruction. `end`: it is not instructed. `wait`: it is instructed after the answer, and does not count as finished before.',
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
    isInstructedLater: z.boolean().describe('It is typed after the question of the agent is answered.'),
    isThroughShell: z.boolean().describe('The user’s shell has started it.'),
    taskId: z.string().nullable().describe('The task of its instruction; null without one, and when it was not typed.'),
    node: LineageNode.nullable().describe('The node in which it was started again.'),
  }),
  example: { command: 'codex', cwd: '/tmp', instruction: 'fix the test' },
})

/** Fields of an agent that is started with an existing conversation. */
const goingOn = {
  conversation: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^-\s]\S*$/, 'a word that begins with no "-"')
    .optional()
    .describe('Its conversation, as its program calls it, where that is not known.'),
  instruction: spawn.input.shape.instruction,
  asksForAnswer: spawn.input.shape.asksForAnswer,
  name: spawn.input.shape.name,
  waitTimeoutMs,
}

export const fork = defineVerb({
  name: 'fork',
  title: 'Fork agent',
  summary:
    'Start a second agent like another, with a new conversation that begins as that of the other stands; in the same folder, or in a new git worktree.',
  effect: 'changes',
  touches: ['terminalId'],
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent fork', library: 'client.call("fork")' },
  input: z.strictObject({
    terminalId: TerminalId,
    worktree: z
      .union([z.boolean(), TerminalName])
      .optional()
      .describe(
        'Work in a new git worktree beside the repository, on a new branch from its last commit: by this name, or `true` for the next that is free.',
      ),
    ...goingOn,
  }),
  output: spawn.output.extend({
    conversation: z.string().nullable().describe('As its program calls it; null where that is not known yet.'),
    worktree: Worktree.nullable().describe('Where it works, if that was made for it.'),
  }),
  example: { terminalId: 'term-4', worktree: true, instruction: 'try it with a queue' },
})

export const resume = defineVerb({
  name: 'resume',
  title: 'Resume agent',
  summary:
    'Start an agent that has ended again, with its conversation, in its folder and in a new terminal. Its old terminal may be gone.',
  effect: 'changes',
  touches: 'own',
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent resume', library: 'client.call("resume")' },
  input: z.strictObject({
    agentId: TerminalId.describe('The agent, by the id or the name of the terminal that it had.'),
    ...goingOn,
  }),
  output: fork.output,
  example: { agentId: 'term-4' },
})
