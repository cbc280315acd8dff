import * as z from 'zod'
import { LineageNode, NodeId, RollUps } from '../agents/lineage.ts'
import { defineVerb } from './verb.ts'

export const lineage = defineVerb({
  name: 'lineage',
  tool: null,
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
  answer: {
    nodes: [
      {
        nodeId: 'node-term-1',
        parentId: null,
        order: 0,
        label: 'build',
        role: 'agent',
        kind: 'agent',
        status: 'idle',
        createdAt: 1750000000000,
        updatedAt: 1750000000000,
        terminalId: 'term-1',
        lastAction: '/bin/bash',
        summary: null,
        cwd: '/tmp',
      },
    ],
    rollUps: {
      'node-term-1': {
        below: 0,
        working: 0,
        waiting: 0,
        finished: 0,
        failed: 0,
        paused: 0,
        elapsedMs: 61000,
        isPaused: false,
        usage: { input: 48210, output: 1904, cached: 40960, costUsd: 0.41, models: ['claude-opus-5-5'] },
        usageBelow: null,
      },
    },
  },
})
