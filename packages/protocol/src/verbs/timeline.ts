import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { exampleItem, TimelineItem } from '../timeline/timeline-item.ts'
import { timelineItemsDefault, timelineItemsMax } from '../timeline/timeline-limits.ts'
import { defineVerb } from './verb.ts'

/** For players, and for persons who look back. */
export const timeline = defineVerb({
  name: 'timeline',
  tool: null,
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
  answer: { items: [exampleItem], startedAt: 1_750_000_000_000 },
})
