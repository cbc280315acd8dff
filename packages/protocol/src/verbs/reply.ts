import * as z from 'zod'
import { verdictFields } from '../call/observation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const reply = defineVerb({
  name: 'reply',
  tool: null,
  title: 'Reply to dialog',
  summary:
    'Choose an option of the dialog that an agent shows: the keys are found from its screen, and the dialog is seen to go. Without an option: what it asks, and its options.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent reply', library: 'client.call("reply")' },
  input: z.strictObject({
    terminalId: TerminalId,
    option: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Its number, its label, or words of the label that no other option has.'),
  }),
  output: z.object({
    asked: z.string().describe('What the dialog asks, as far as it can be told.'),
    options: z
      .array(
        z.object({
          number: z.number().int().describe('As the dialog numbers it; else its place, from 1 on.'),
          label: z.string().describe('As it stands there.'),
          isHighlighted: z.boolean().describe('Enter would take it.'),
        }),
      )
      .describe('What could be chosen.'),
    chosen: z.string().nullable().describe('The label of the option that was chosen; null when only asked.'),
    ...verdictFields,
  }),
  example: { terminalId: 'term-4', option: 'Yes, proceed' },
  answer: {
    asked: 'Would you like to run the following command?',
    options: [
      { number: 1, label: 'Yes, proceed (y)', isHighlighted: true },
      { number: 2, label: 'No, and tell Codex what to do differently (esc)', isHighlighted: false },
    ],
    chosen: 'Yes, proceed (y)',
    state: 'busy',
  },
})
