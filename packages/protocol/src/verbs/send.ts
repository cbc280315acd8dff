import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { IfTaken, TerminalId, typedText, waitTimeoutMs } from '../call/terminal-fields.ts'
import { sendBytesMax } from '../limits.ts'
import { needIdCharactersMax } from '../needs/need-limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

/** Described once; in other verbs the field's name and default are enough. */
const waitForHelp =
  '"ready" (your turn; {ready:"high"}: at least so sure) | "output" | "command" (shell command done) | "exit" | "none" | {text} | {pattern} | {quietMs} | {stableMs} | array: any of them. Default ready'

export const send = defineVerb({
  name: 'send',
  tool: 'terminal_send',
  title: 'Type text',
  summary:
    'Type text and Enter (newline:false: no Enter), wait until it is your turn again, return what was printed. For shells, REPLs, debuggers, prompts, passwords. Text is literal: control keys need terminal_send_keys.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty send', library: 'session.send()' },
  models: { resultFields: ['output', 'cursor', 'outcome', 'state', 'kind', 'exitCode'] },
  input: z.strictObject({
    terminalId: TerminalId,
    text: typedText(sendBytesMax).describe(
      'Taken literally. Several lines are pasted as one where the program asks for bracketed paste.',
    ),
    newline: z.boolean().default(true).describe('Press Enter at the end.'),
    instruct: forModels(
      z
        .boolean()
        .default(false)
        .describe(
          'The text is an instruction for an agent: typed only once it is idle. While a dialog is up the call fails with `needs_answer` and the question, and while other text stands in its input box with `line_not_empty`; nothing is typed then. It has been taken when the call returns: else the error is `not_submitted`.',
        ),
      'text instructs an agent: typed once it is idle, never into dialogs',
    ),
    ifTaken: forModels(IfTaken, null),
    ifAsked: forModels(
      z
        .string()
        .min(1)
        .max(needIdCharactersMax)
        .optional()
        .describe('A `needId` of `needs`: typed only while the program still asks that, else `not_asking`.'),
      null,
    ),
    waitFor: defaultsTo(forModels(WaitFor.optional(), waitForHelp), '`"ready"`'),
    waitForString: forModels(z.string().min(1).optional().describe('Same as `waitFor: {text}`; adds to it.'), null),
    waitForOutput: forModels(z.boolean().optional().describe('Same as `waitFor: "output"`; adds to it.'), null),
    waitTimeoutMs: forModels(waitTimeoutMs, 'default 30000'),
  }),
  output: z.object({
    sent: z.literal(true).describe('Always `true`; an input that could not be sent is an error.'),
    ...observationFields,
  }),
  example: { terminalId: 'term-1', text: 'make test' },
  answer: {
    sent: true,
    outcome: 'met',
    output: '42 passed, 0 failed\n$',
    cursor: 129,
    exitCode: 0,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})
