import * as z from 'zod'
import { keptPartBytesMax, keptPartBytesMin } from '../recording/recording-limits.ts'
import { defineVerb } from './verb.ts'

/** For the page, and for other players. */
export const keptRecording = defineVerb({
  name: 'keptRecording',
  tool: null,
  title: 'Get a recording on the disk',
  summary: 'A part of the file of a recording: whole lines from a byte on, so that a large one is fetched in parts.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty replay', library: 'client.call("keptRecording")' },
  input: z.strictObject({
    recordingId: z.string().min(1).max(200).describe('One that `recordings` tells.'),
    from: z.number().int().min(0).default(0).describe('The byte to begin at: the `next` of the part before.'),
    maxBytes: z.number().int().min(keptPartBytesMin).max(keptPartBytesMax).default(keptPartBytesMax),
  }),
  output: z.object({
    text: z
      .string()
      .describe('Asciicast of version 3. It ends with a line, or inside of one that is longer than a part may be.'),
    next: z.number().int().describe('The byte behind it.'),
    end: z.number().int().describe('The end of the file, as far as it is whole by now.'),
  }),
  example: { recordingId: 'term-12', from: 0 },
  answer: { text: '{"version":3,"term":{"cols":80,"rows":24}}\n[0.012, "o", "$ "]\n', next: 62, end: 62 },
})
