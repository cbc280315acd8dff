import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

/** For those who sit in front of a person; agents ask by a tool of their own. */
export const questions = defineVerb({
  name: 'questions',
  tool: null,
  title: 'List questions',
  summary: 'What programs ask a person, as far as somebody has had it put to one and nobody has answered.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty attach', library: 'client.call("questions")' },
  input: z.strictObject({}),
  output: z.object({
    questions: z
      .array(
        z.object({
          questionId: z.string().describe('To answer it by.'),
          terminalId: TerminalId,
          program: z.string().describe('What asks.'),
          text: z.string().describe('What it asks, as it stands in the terminal.'),
          isSecret: z.boolean().describe('What is typed is not shown, and no model may see it.'),
        }),
      )
      .describe('The oldest first.'),
  }),
  example: {},
  answer: {
    questions: [
      { questionId: '8c1d', terminalId: 'term-1', program: 'npm init', text: 'package name: (demo)', isSecret: false },
    ],
  },
})
