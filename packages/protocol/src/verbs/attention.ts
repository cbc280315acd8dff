import * as z from 'zod'
import { observationFields } from '../call/observation.ts'
import { TerminalId, typedText, WaitFor, waitTimeoutMs } from '../call/terminal-fields.ts'
import { questionBytesMax } from '../limits.ts'
import { needIdCharactersMax } from '../need-limits.ts'
import { Need } from '../needs.ts'
import { defineVerb } from './verb.ts'

/** For clients in front of a person. */
export const needs = defineVerb({
  name: 'needs',
  title: 'List needs',
  summary:
    'What is blocked on a person: approvals, questions, dialogs of agents, passwords, confirmations, and terminals that ended with an error and were not looked at since.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty needs', library: 'client.call("needs")' },
  input: z.strictObject({}),
  output: z.object({ needs: z.array(Need).describe('The newest last.') }),
  example: {},
})

export const dismiss = defineVerb({
  name: 'dismiss',
  title: 'Dismiss need',
  summary:
    'Take a failure, or an agent’s wish for a person, off the list of what needs a person. Everything else is answered.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty needs dismiss', library: 'client.call("dismiss")' },
  input: z.strictObject({ needId: z.string().min(1).max(needIdCharactersMax).describe('Of `needs`.') }),
  output: z.object({ dismissed: z.literal(true).describe('Always `true`; what is not on the list is an error.') }),
  example: { needId: 'term-4-ended' },
})

/** For clients in front of a person; agents ask by a tool of their own. */
export const questions = defineVerb({
  name: 'questions',
  title: 'List questions',
  summary: 'Lists the open questions of agents and programs to a person.',
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
          text: z.string().describe('The question, as shown in the terminal.'),
          isSecret: z.boolean().describe('What is typed is not shown, and no model may see it.'),
        }),
      )
      .describe('The oldest first.'),
  }),
  example: {},
})

export const answer = defineVerb({
  name: 'answer',
  title: 'Answer question',
  summary:
    'Type a person’s answer to a question, with Enter. The first answer counts; a question that is gone is refused.',
  effect: 'destroys',
  touches: 'own',
  safety: { types: 'questionId', starts: null, yields: 'line', callers: 'agent' },
  journal: ({ questionId }) => questionId,
  words: { cli: 'agentpty attach', library: 'client.call("answer")' },
  input: z.strictObject({
    questionId: z.string().min(1).max(100).describe('Of `questions`.'),
    text: typedText(questionBytesMax).describe('Typed as it is.'),
    waitFor: WaitFor.optional(),
    waitTimeoutMs,
  }),
  output: z.object({
    answered: z.literal(true).describe('Always `true`; an answer that could not be typed is an error.'),
    terminalId: TerminalId,
    ...observationFields,
  }),
  example: { questionId: '8c1d', text: 'demo' },
})
