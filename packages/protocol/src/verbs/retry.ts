import * as z from 'zod'
import { LineageNode, NodeId } from '../agents/lineage.ts'
import { defineVerb } from './verb.ts'

export const retry = defineVerb({
  name: 'retry',
  tool: null,
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
  answer: {
    terminalId: 'term-4',
    node: {
      nodeId: 'node-term-1',
      parentId: null,
      order: 0,
      label: 'build',
      role: 'agent',
      kind: 'agent',
      status: 'running',
      createdAt: 1750000000000,
      updatedAt: 1750000009000,
      terminalId: 'term-4',
      lastAction: 'make test',
      summary: null,
      cwd: '/tmp',
    },
  },
})
