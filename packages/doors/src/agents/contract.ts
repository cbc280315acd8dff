/** The tools of `--toolset agents`: termtile's, with ids that stay beside its slots, and what it has not. */

import { awaitedAgentsMax } from '@agentpty/protocol'
import { suggestedCommands } from '@agentpty/protocol/agents'
import type { Effect, VerbName } from '@agentpty/protocol/verbs'
import * as z from 'zod'

/** How long a dependency may be waited for, in seconds. */
const secondsMax = 86_400
/** How many agents the description names. */
const namedMax = 5

const workspace = z.string().min(1).optional()
const seconds = z.number().min(0).max(secondsMax)
/** An agent by its id, its name, or its slot. */
const Ref = z.union([z.number().int(), z.string().min(1).max(200)])
const one = {
  id: z.string().min(1).max(200).optional().describe('id or name'),
  slot: z.number().int().optional().describe('or its slot'),
  workspace,
}

export interface AgentsTool {
  readonly summary: string
  readonly effect: Effect
  readonly becomes: readonly VerbName[]
  readonly input: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
}

export const agentsTools = {
  spawn_agent: {
    summary:
      'Start an agent in a terminal and give it a task. With depends_on it starts once those have finished: the call waits, or returns at once with queue.',
    effect: 'changes',
    becomes: ['spawn', 'create'],
    input: z.object({
      agent_type: z
        .string()
        .min(1)
        .optional()
        .describe(`${suggestedCommands.slice(0, namedMax).join(', ')}, or any command`),
      type: z.string().min(1).optional().describe('the same as agent_type'),
      task: z.string().optional().describe('{{slot_N.output}}, {{NAME.output}}: the answer of a dependency'),
      name: z.string().min(1).max(100).optional().describe('instead of a slot'),
      cwd: z.string().min(1).optional(),
      model: z.string().min(1).optional(),
      depends_on: z.array(Ref).max(awaitedAgentsMax).optional().describe('slots, ids or names'),
      depends_on_timeout: seconds.optional().describe('seconds; default 300'),
      queue: z.boolean().optional(),
      workspace,
      source_workspace: workspace,
      window: z.boolean().optional().describe('by the user’s shell'),
    }),
    example: { agent_type: 'claude', task: 'fix {{slot_0.output}}', depends_on: [0], queue: true },
  },
  send_to_agent: {
    summary: 'Give an agent its next task, once it is idle; it is proved to be taken.',
    effect: 'destroys',
    becomes: ['instruct'],
    input: z.object({ ...one, text: z.string() }),
    example: { id: 'term-4', text: 'now write the test' },
  },
  wait_for_idle: {
    summary: 'Wait until an agent has finished: its answer. On state working or queued call again.',
    effect: 'reads',
    becomes: ['awaitAgents', 'artifact'],
    input: z.object({
      ...one,
      timeout: seconds.optional().describe('seconds; default 120'),
      lines: z.number().int().optional(),
    }),
    example: { id: 'term-4' },
  },
  wait_any: {
    summary: 'Wait until one of several agents has finished, asks something or has ended; the states of all.',
    effect: 'reads',
    becomes: ['awaitAgents'],
    input: z.object({
      ids: z.array(Ref).min(1).max(awaitedAgentsMax).describe('ids, names or slots'),
      timeout: seconds.optional().describe('seconds; default 120'),
      workspace,
    }),
    example: { ids: ['term-4', 'term-5'] },
  },
  answer_agent: {
    summary: 'Choose an option of the dialog that an agent shows. Without option: what it asks, and the options.',
    effect: 'destroys',
    becomes: ['reply'],
    input: z.object({ ...one, option: z.string().min(1).optional().describe('its number, label or words of it') }),
    example: { id: 'term-4', option: 'allow once' },
  },
  message_agent: {
    summary: 'A message into the inbox of an agent, read as data once it is idle. id parent: who started you.',
    effect: 'changes',
    becomes: ['sendMessage'],
    input: z.object({
      ...one,
      text: z.string().min(1),
      steer: z.boolean().optional().describe('an instruction for its turn under way, if you started it'),
    }),
    example: { id: 'parent', text: 'the tests are green' },
  },
  read_inbox: {
    summary: 'Take your messages, and see what became of yours that were not read.',
    effect: 'changes',
    becomes: ['inbox', 'sentMessages'],
    input: z.object({}),
    example: {},
  },
  get_artifact: {
    summary: 'The last answer of an agent, as it was captured.',
    effect: 'reads',
    becomes: ['artifact'],
    input: z.object(one),
    example: { id: 'term-4' },
  },
  read_from_agent: {
    summary: 'The last lines of an agent’s terminal; with pattern, once that text is there.',
    effect: 'reads',
    becomes: ['screenshot'],
    input: z.object({
      ...one,
      lines: z.number().int().optional().describe('default 50, at most 100'),
      clean: z.boolean().optional().describe('without frames'),
      since_last: z.boolean().optional().describe('only what is new since the last read'),
      pattern: z.string().min(1).max(1_000).optional(),
      timeout: seconds.optional().describe('seconds; default 30'),
    }),
    example: { id: 'term-4', lines: 20 },
  },
  list_agents: {
    summary: 'All agents with their states: idle, working, asks, queued, ended, failed.',
    effect: 'reads',
    becomes: ['list', 'agents'],
    input: z.object({ workspace }),
    example: {},
  },
  agent_tree: {
    summary: 'Which agent was started from which, and the tokens that each and those below it have used.',
    effect: 'reads',
    becomes: ['lineage'],
    input: z.object({ id: z.string().min(1).max(200).optional().describe('only it and those below') }),
    example: {},
  },
  fork_agent: {
    summary: 'A second agent with the conversation of another so far; in its folder, or in a new git worktree.',
    effect: 'changes',
    becomes: ['fork'],
    input: z.object({
      ...one,
      task: z.string().optional(),
      worktree: z
        .union([z.boolean(), z.string().min(1)])
        .optional()
        .describe('true, or a name for the branch'),
      name: z.string().min(1).max(100).optional(),
    }),
    example: { id: 'term-4', worktree: true, task: 'try it with a queue' },
  },
  resume_agent: {
    summary: 'Start an agent that has ended again, with its conversation, in its folder.',
    effect: 'changes',
    becomes: ['resume'],
    input: z.object({
      id: z.string().min(1).max(200).describe('the id or name that it had'),
      task: z.string().optional(),
      name: z.string().min(1).max(100).optional(),
    }),
    example: { id: 'term-4', task: 'go on' },
  },
  kill_agent: {
    summary: 'End an agent and everything it has started, or take a queued one back.',
    effect: 'destroys',
    becomes: ['close'],
    input: z.object(one),
    example: { id: 'term-4' },
  },
} as const satisfies Readonly<Record<string, AgentsTool>>

export type AgentsToolName = keyof typeof agentsTools
export type AgentsInput<Name extends AgentsToolName> = Readonly<z.output<(typeof agentsTools)[Name]['input']>>
/** Fields that name one agent. */
export type OneAgent = Readonly<z.output<z.ZodObject<typeof one>>>
