/** The history of one terminal, as a list of items in the order of time. */

import * as z from 'zod'

const at = z.number().describe('In milliseconds since 1970.')
const offset = z.number().int().min(0)
const who = z.string().describe('As the journal names callers.')
const text = z.string().describe('Shortened, without what looks like a secret.')

const CommandItem = z.object({
  kind: z.literal('command'),
  at,
  timeUnknown: z
    .literal(true)
    .optional()
    .describe('The time was not kept: `at` is the time at which the terminal was opened.'),
  offset: offset.describe('Where its output begins.'),
  line: z.string().describe('Empty where nothing tells.'),
  end: offset.nullable().describe('Where its output ends; null while it runs.'),
  endedAt: at.nullable(),
  exitCode: z.number().int().nullable().describe('null while it runs, and where the shell does not tell.'),
})

const TypedItem = z.object({
  kind: z.literal('typed'),
  at,
  offset: offset.optional().describe('The end of the output then.'),
  who,
  isPerson: z.boolean(),
  verb: z.string(),
  text: text.optional().describe('Absent if it is private, such as the text that a person types.'),
  bytes: z.number().int().optional(),
  outcome: z.string().describe('`done`, `open`, or the code of the error: `denied`, `needs_approval`.'),
})

const QuestionItem = z.object({
  kind: z.literal('question'),
  at,
  offset: offset.optional(),
  state: z.enum(['open', 'answered']),
  text: text.describe('The question, as far as it is known. The answer is never recorded.'),
  who: who.optional().describe('Who has answered.'),
  isPerson: z.boolean().optional(),
})

const ApprovalItem = z.object({
  kind: z.literal('approval'),
  at,
  event: z.enum(['asked', 'allowed', 'denied', 'expired', 'withdrawn']),
  approvalId: z.string(),
  text,
  rule: z.string(),
  who: who.optional().describe('Who has answered.'),
  waitedMs: z.number().optional(),
})

const LeaseItem = z.object({
  kind: z.literal('lease'),
  at,
  offset: offset.optional(),
  event: z.enum(['taken', 'released']),
  who,
  text: text.optional().describe('Why it was taken; who may type since it was given back.'),
})

const TaskItem = z.object({
  kind: z.literal('task'),
  at,
  offset: offset.optional(),
  event: z.enum(['given', 'answered']),
  who: who.optional(),
  text: text.optional(),
  taskId: z.string().optional(),
  outcome: z.string().optional(),
})

const KeptItem = z.object({
  kind: z.literal('kept'),
  at,
  who: who.describe('The program.'),
  text: text.describe('Its command.'),
  files: z.number().int().describe('How many it deleted or overwrote; `agentpty undo` puts them back.'),
  id: z.string().describe('For `agentpty undo`.'),
})

const SizeItem = z.object({
  kind: z.literal('size'),
  at,
  offset,
  cols: z.number().int(),
  rows: z.number().int(),
})

const ExitItem = z.object({
  kind: z.literal('exit'),
  at,
  offset,
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
})

export const TimelineItem = z.discriminatedUnion('kind', [
  CommandItem,
  TypedItem,
  QuestionItem,
  ApprovalItem,
  LeaseItem,
  TaskItem,
  KeptItem,
  SizeItem,
  ExitItem,
])
export type TimelineItem = Readonly<z.output<typeof TimelineItem>>
type TimelineKind = TimelineItem['kind']
export type TimelineItemOf<Kind extends TimelineKind> = Extract<TimelineItem, { readonly kind: Kind }>
