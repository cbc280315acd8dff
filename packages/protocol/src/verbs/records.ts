import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import {
  givenMarkersMax,
  keptPartBytesMax,
  keptPartBytesMin,
  keptRecordingsMax,
  markerCharactersMax,
} from '../recording/recordings.ts'
import { timelineItemsDefault, timelineItemsMax } from '../timeline/item-words.ts'
import { TimelineItem } from '../timeline/timeline-item.ts'
import { defineVerb } from './verb.ts'

/** For players, not for models, which read text. */
export const recording = defineVerb({
  name: 'recording',
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
})

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
    .describe('Exit code of the program, or 128 and the number of its signal; absent if its end was not observed.'),
  isLive: z.boolean().describe('Its terminal is still there.'),
})

/** For the page. `agentpty recordings` needs no daemon. */
export const recordings = defineVerb({
  name: 'recordings',
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
})

/** For the page, and for other players. */
export const keptRecording = defineVerb({
  name: 'keptRecording',
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
})

/** For players, and for persons who inspect the past. */
export const timeline = defineVerb({
  name: 'timeline',
  title: 'Timeline of a terminal',
  summary:
    'What has happened in a terminal: commands, who typed, questions and who answered, approvals, take-overs, tasks, sizes, its end. The newest items, in the order of time.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty timeline', library: 'client.call("timeline")' },
  input: z.strictObject({
    terminalId: TerminalId,
    since: z.number().min(0).default(0).describe('Nothing older than this, in milliseconds since 1970.'),
    before: z.string().max(200).optional().describe('The `next` of an earlier answer: goes on with what is older.'),
    limit: z.number().int().min(1).max(timelineItemsMax).default(timelineItemsDefault),
  }),
  output: z.object({
    items: z.array(TimelineItem).describe('The newest last.'),
    startedAt: z.number().describe('When its program was started: a recording of it begins then.'),
    next: z
      .string()
      .optional()
      .describe('There may be older ones: give it as `before`. An answer that has it may hold no items.'),
    missing: z
      .array(z.enum(['commands', 'journal']))
      .optional()
      .describe('Of these older ones are not kept: only the newest commands, and the journal from some time on.'),
  }),
  example: { terminalId: 'term-1', limit: 1 },
})
