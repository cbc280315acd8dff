import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { givenMarkersMax, markerCharactersMax } from '../recording/recording-limits.ts'
import { defineVerb } from './verb.ts'

/** For players, not for models, which read text. */
export const recording = defineVerb({
  name: 'recording',
  tool: null,
  title: 'Get recording',
  summary: 'Kept output with its times, as an asciicast that asciinema and other players show again.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty recording', library: 'client.call("recording")' },
  input: z.strictObject({
    terminalId: TerminalId,
    since: z.number().int().min(0).default(0).describe('The offset to begin at.'),
    until: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Nothing from this offset on: a long one is fetched in parts, each from the `next` of the one before.'),
    version: z
      .union([z.literal(2), z.literal(3)])
      .default(2)
      .describe('Of the format. 3 also has a marker for each command, and the exit.'),
    markers: z
      .array(z.strictObject({ offset: z.number().int().min(0), label: z.string().max(markerCharactersMax) }))
      .max(givenMarkersMax)
      .optional()
      .describe('With version 3: these, in place of those of commands.'),
  }),
  output: z.object({
    recording: z.string().describe('The asciicast: a header, then a line for each piece of output.'),
    next: z.number().int().describe('The offset behind what is in it.'),
    end: z.number().int().describe('The end of the output now.'),
    timesUnknownTo: z
      .number()
      .int()
      .optional()
      .describe('Times of output before this offset were not kept: it has the time of the beginning.'),
    missedBytes: z.number().int().optional().describe('Bytes that came before what is in it.'),
    invalidBytes: z
      .number()
      .int()
      .optional()
      .describe('Bytes of this output that are not UTF-8. The asciicast has U+FFFD in their place.'),
  }),
  example: { terminalId: 'term-1' },
  answer: { recording: '{"version":2,"width":120,"height":30}\n[0.012,"o","$ "]\n', next: 2, end: 2 },
})
