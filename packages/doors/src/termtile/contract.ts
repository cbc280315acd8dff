/** The tools of `--toolset termtile`: agents in the slots of workspaces. */

import { suggestedCommands } from '@agentpty/protocol/agents'
import * as z from 'zod'
import type { AgentsTool } from '../agents/contract.ts'

/** How long a call may last; it waits in several steps, so that it can be cancelled at any time. */
const secondsMax = 86_400

/** How many commands the description names as examples. */
const namedMax = 5

const workspaceFields = {
  workspace: z.string().min(1).nullish().describe('default: the only one there is'),
  source_workspace: z.string().min(1).nullish().describe('the caller’s own; used when workspace is not given'),
}
const slotted = { slot: z.number().int(), ...workspaceFields }
const seconds = z.number().max(secondsMax)

const spawn = z.object({
  agent_type: z
    .string()
    .min(1)
    .nullish()
    .describe(`${suggestedCommands.slice(0, namedMax).join(', ')}, or any command`),
  type: z.string().min(1).nullish().describe('the same as agent_type'),
  ...workspaceFields,
  cwd: z.string().min(1).nullish(),
  task: z.string().nullish().describe('typed once it is ready; {{slot_N.output}} is the artifact of a dependency'),
  model: z.string().nullish(),
  window: z.boolean().nullish(),
  depends_on: z.array(z.number().int()).nullish().describe('slots that must be idle first'),
  depends_on_timeout: seconds.nullish().describe('seconds; default 300'),
})

export const termtileTools = {
  spawn_agent: {
    summary: 'Start an agent in a slot of a workspace, after those it depends on are idle, and give it a task.',
    effect: 'changes',
    becomes: ['spawn', 'create'],
    input: spawn,
    example: { agent_type: 'claude', task: 'summarize {{slot_0.output}}', depends_on: [0] },
  },
  send_to_agent: {
    summary: 'Type text and Enter into an agent’s terminal.',
    effect: 'destroys',
    becomes: ['send'],
    input: z.object({ ...slotted, text: z.string() }),
    example: { slot: 0, text: 'go on' },
  },
  read_from_agent: {
    summary: 'The last lines of an agent’s terminal; with pattern, once that text is there or the timeout is over.',
    effect: 'reads',
    becomes: ['screenshot'],
    input: z.object({
      ...slotted,
      lines: z.number().int().nullish().describe('default 50, at most 100'),
      clean: z.boolean().nullish().describe('without frames and blank space'),
      since_last: z.boolean().nullish().describe('only what the last read did not have'),
      pattern: z.string().min(1).max(1_000).nullish(),
      timeout: seconds.nullish().describe('seconds; default 30'),
    }),
    example: { slot: 0, lines: 20 },
  },
  wait_for_idle: {
    summary: 'Wait until an agent has finished; its answer, kept as the artifact of its slot.',
    effect: 'reads',
    becomes: ['awaitAgents', 'artifact'],
    input: z.object({
      ...slotted,
      timeout: seconds.nullish().describe('seconds; default 120'),
      lines: z.number().int().nullish().describe('of what has no [termtile-response]; default 100'),
    }),
    example: { slot: 0, timeout: 60 },
  },
  list_agents: {
    summary: 'The agents of a workspace and whether they are idle.',
    effect: 'reads',
    becomes: ['list'],
    input: z.object(workspaceFields),
    example: {},
  },
  kill_agent: {
    summary: 'End an agent and everything it has started.',
    effect: 'destroys',
    becomes: ['close'],
    input: z.object(slotted),
    example: { slot: 0 },
  },
  get_artifact: {
    summary: 'The last answer captured from a slot.',
    effect: 'reads',
    becomes: ['artifact'],
    input: z.object(slotted),
    example: { slot: 0 },
  },
  move_terminal: {
    summary: 'Move an agent to a free slot of another workspace.',
    effect: 'changes',
    becomes: ['rename'],
    input: z.object({ ...slotted, target_workspace: z.string().min(1) }),
    example: { slot: 0, target_workspace: 'review' },
  },
} as const satisfies Readonly<Record<string, AgentsTool>>

export type TermtileName = keyof typeof termtileTools
export type TermtileInput<Name extends TermtileName> = Readonly<z.output<(typeof termtileTools)[Name]['input']>>
