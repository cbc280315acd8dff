import * as z from 'zod'
import { Usage } from '../agents/usage.ts'
import { verdictFields } from '../call/observation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const agents = defineVerb({
  name: 'agents',
  tool: null,
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
  answer: {
    agents: [
      {
        terminalId: 'term-4',
        type: 'codex',
        asksForAnswer: true,
        taskId: 'task-1',
        instructedAt: 1750000011000,
        isAnswered: true,
        usage: { input: 48210, output: 1904, cached: 40960, costUsd: null, models: ['gpt-5.5'] },
        cwd: '/tmp',
        state: 'ready',
        kind: 'agent',
        confidence: 'certain',
      },
    ],
  },
})
