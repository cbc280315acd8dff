import * as z from 'zod'
import { NodeId } from '../agents/lineage.ts'
import { defineVerb } from './verb.ts'

export const stopLineage = defineVerb({
  name: 'stopLineage',
  tool: null,
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
  answer: { nodes: 2, stopped: 2, failed: [] },
})
