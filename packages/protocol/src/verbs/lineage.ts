import * as z from 'zod'
import { LineageChange, LineageNode, NodeId, RollUps } from '../agents/lineage.ts'
import { defineVerb } from './verb.ts'

export const lineage = defineVerb({
  name: 'lineage',
  title: 'Show lineage',
  summary: 'Which terminal was opened from which, with the groups and agents that callers have added.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent tree', library: 'client.call("lineage")' },
  input: z.strictObject({ nodeId: NodeId.optional().describe('Only this node and all below it.') }),
  output: z.object({
    nodes: z.array(LineageNode).describe('Parents before their children.'),
    rollUps: RollUps.describe('What is below each of them, by the id of the node.'),
  }),
  example: {},
})

export const changeLineage = defineVerb({
  name: 'changeLineage',
  title: 'Change lineage',
  summary: 'Add a group or an agent to the lineage, describe one, or move one below another parent.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: ({ change }) => change.kind,
  words: { cli: 'agentpty ls', library: 'client.call("changeLineage")' },
  input: z.strictObject({ change: LineageChange }),
  output: z.object({ node: LineageNode }),
  example: { change: { kind: 'describe', nodeId: 'term-1', status: 'running', summary: 'runs the tests' } },
})

export const stopLineage = defineVerb({
  name: 'stopLineage',
  title: 'Stop agents',
  summary: 'Close the terminals of a node and of all below it.',
  effect: 'destroys',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: ({ nodeId, nodes }) => `${nodeId} ${nodes}`,
  words: { cli: 'agentpty close', library: 'client.call("stopLineage")' },
  input: z.strictObject({
    nodeId: NodeId,
    nodes: z
      .enum(['keep', 'remove'])
      .describe('`keep`: those that have not ended are stopped, children first. `remove`: none of them stays.'),
  }),
  output: z.object({
    nodes: z.number().int().describe('How many are, or were, in that part of the lineage.'),
    stopped: z.number().int().describe('How many agents of them were stopped.'),
    failed: z
      .array(z.object({ label: z.string().describe('Of the node.'), message: z.string().describe('Why it goes on.') }))
      .describe('Agents that could not be stopped.'),
  }),
  example: { nodeId: 'term-1', nodes: 'keep' },
})

export const retry = defineVerb({
  name: 'retry',
  title: 'Start again',
  summary:
    'Start what has failed, ended or was stopped again, in a new terminal at the same place of the lineage: the same command, folder and name. An agent goes on with its conversation where that is known.',
  effect: 'changes',
  touches: 'own',
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty new', library: 'client.call("retry")' },
  input: z.strictObject({ nodeId: NodeId }),
  output: z.object({
    terminalId: z.string().describe('The new terminal.'),
    node: LineageNode,
  }),
  example: { nodeId: 'term-1' },
})
