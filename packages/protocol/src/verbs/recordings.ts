import * as z from 'zod'
import { keptRecordingsMax } from '../recording/recording-limits.ts'
import { defineVerb } from './verb.ts'

const KeptRecording = z.object({
  recordingId: z.string(),
  terminalId: z.string(),
  name: z.string().describe('That of the terminal when it was opened.'),
  command: z.string().optional().describe('Shortened, without what looks like a secret.'),
  startedAt: z.number().describe('In milliseconds since 1970.'),
  seconds: z.number().describe('From its first to its last event.'),
  bytes: z.number().int(),
  exit: z
    .number()
    .int()
    .optional()
    .describe('Exit code of the program, or 128 and the number of its signal; absent where nobody has seen its end.'),
  isLive: z.boolean().describe('Its terminal is still there.'),
})

/** For the page. `agentpty recordings` needs no daemon. */
export const recordings = defineVerb({
  name: 'recordings',
  tool: null,
  title: 'List recordings',
  summary: 'Recordings on the disk, also of terminals that are gone.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty recordings', library: 'client.call("recordings")' },
  input: z.strictObject({}),
  output: z.object({
    recordings: z.array(KeptRecording).describe(`The newest first, ${keptRecordingsMax} at most.`),
    older: z.number().int().optional().describe('How many there are besides.'),
  }),
  example: {},
  answer: {
    recordings: [
      {
        recordingId: 'term-12',
        terminalId: 'term-12',
        name: 'build',
        command: 'make test',
        startedAt: 1_750_000_000_000,
        seconds: 19.2,
        bytes: 8_210,
        exit: 2,
        isLive: false,
      },
    ],
  },
})
