import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { TerminalId, typedText, waitTimeoutMs } from '../call/terminal-fields.ts'
import { questionBytesMax } from '../limits.ts'
import { defineVerb } from './verb.ts'

export const answer = defineVerb({
  name: 'answer',
  tool: null,
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
  answer: {
    answered: true,
    terminalId: 'term-1',
    outcome: 'met',
    output: 'version: (1.0.0)',
    cursor: 52,
    state: 'ready',
    kind: 'line',
  },
})
