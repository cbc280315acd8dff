import * as z from 'zod'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { SandboxShown } from '../sandbox/sandbox.ts'
import { defineVerb } from './verb.ts'

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
          isPaused: z.boolean().optional().describe('Its processes are stopped, until somebody lets them go on.'),
          sandbox: SandboxShown.optional().describe(
            'The walls around its program: its network, and what it may write.',
          ),
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
