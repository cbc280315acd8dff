import * as z from 'zod'
import { LineageChange, LineageNode } from '../agents/lineage.ts'
import { defineVerb } from './verb.ts'

export const changeLineage = defineVerb({
  name: 'changeLineage',
  tool: null,
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
  answer: {
    node: {
      nodeId: 'node-term-1',
      parentId: null,
      order: 0,
      label: 'build',
      role: 'agent',
      kind: 'agent',
      status: 'running',
      createdAt: 1750000000000,
      updatedAt: 1750000004000,
      terminalId: 'term-1',
      lastAction: '/bin/bash',
      summary: 'runs the tests',
      cwd: '/tmp',
    },
  },
})
