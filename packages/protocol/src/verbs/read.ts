import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { outputBytesMax, searchPatternCharactersMax } from '../limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

export const read = defineVerb({
  name: 'read',
  tool: 'terminal_read',
  title: 'Read output',
  summary:
    'Read output from offset `since` (a cursor; default: all that is kept). `find`: only lines matching this regex, with contextLines around. raw: bytes with escapes.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty read', library: 'session.read()' },
  models: { resultFields: ['output', 'cursor', 'outcome', 'state'] },
  input: z.strictObject({
    terminalId: TerminalId,
    since: defaultsTo(
      z.number().int().min(0).optional().describe('Offset to read from: a `cursor` of an earlier result.'),
      'all that is kept',
    ),
    until: forModels(
      z.number().int().min(0).optional().describe('Nothing from this offset on: the end of a command, say.'),
      null,
    ),
    waitFor: defaultsTo(forModels(WaitFor.optional(), 'as in terminal_send; default none'), '`"none"`'),
    waitForOutput: forModels(z.boolean().optional().describe('Same as `waitFor: "output"`; adds to it.'), null),
    waitForString: forModels(z.string().min(1).optional().describe('Same as `waitFor: {text}`; adds to it.'), null),
    waitTimeoutMs,
    find: z
      .string()
      .min(1)
      .max(searchPatternCharactersMax)
      .optional()
      .describe('Regular expression; only matching lines come back, each as `offset: text`.'),
    contextLines: z.number().int().min(0).max(50).default(0).describe('Lines to show around each match of `find`.'),
    raw: z.boolean().optional().describe('Bytes as the program sent them, escape sequences included.'),
    maxLines: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Lines to return at most; the middle is left out, and that is said.'),
    maxBytes: defaultsTo(
      z
        .number()
        .int()
        .min(256)
        .max(outputBytesMax)
        .optional()
        .describe(
          'Bytes to return at most; the middle is left out, and that is said. With `raw` the rest follows from `cursor`.',
        ),
      '10240',
    ),
  }),
  output: z.object({
    ...observationFields,
    output: z.string().describe('The text since `since`, as a person would have read it.'),
    isActive: z.boolean().describe('The program has not ended.'),
    matches: z
      .number()
      .int()
      .optional()
      .describe('How many lines `find` matched, at most 200; `output` may hold fewer.'),
  }),
  example: { terminalId: 'term-1', since: 0 },
  answer: {
    output: '$ make test\n42 passed, 0 failed\n$ sleep 100\n^C\n$',
    cursor: 199,
    isActive: true,
    exitCode: 130,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})
