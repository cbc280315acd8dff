import * as z from 'zod'
import { ArtifactSource } from '../agents/kept-agents.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { scrollbackRows } from '../limits.ts'
import { defineVerb } from './verb.ts'

const Fence = z.string().min(1).max(200)

export const artifact = defineVerb({
  name: 'artifact',
  tool: null,
  title: 'Capture artifact',
  summary:
    'The artifact of an agent: its answer to what it was instructed to do last, as it was captured, or captured now.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent answer', library: 'client.call("artifact")' },
  input: z.strictObject({
    terminalId: TerminalId,
    capture: z
      .enum(['never', 'missing', 'answer', 'screen'])
      .default('never')
      .describe(
        '`never`: the one that is kept. `missing`: where none is, the last fenced answer of an agent that has finished, else the last message in its transcript. `answer`: the same, else the end of its screen. `screen`: the end of its screen.',
      ),
    fences: z
      .strictObject({ open: Fence, close: Fence })
      .optional()
      .describe(
        'Between which texts it may have answered besides those of its task. Default: [termtile-response] and [/termtile-response].',
      ),
    lines: z
      .number()
      .int()
      .min(1)
      .max(scrollbackRows)
      .default(100)
      .describe('How much of the end of the screen, in rows.'),
  }),
  output: z.object({
    artifact: z
      .object({
        output: z.string().describe('All of what was captured now; of what was kept before, the first MiB.'),
        originalBytes: z.number().int().describe('How long it was.'),
        capturedAt: z.number().describe('In milliseconds since 1970.'),
        taskId: z.string().nullable().describe('What it answers; null where nobody has instructed the agent.'),
        source: ArtifactSource.describe(
          '`transcript`: the answer, to the letter. `fences`: the answer, whole, as its screen has shown it. `hook`: the same, as its own hook has reported it. `message`: its last message by its transcript, because it has put nothing between fences. `screen`: the end of its screen, with whatever stood there.',
        ),
      })
      .nullable()
      .describe('null when there is none.'),
  }),
  example: { terminalId: 'term-4', capture: 'answer' },
  answer: {
    artifact: {
      output: 'The test is fixed.',
      originalBytes: 18,
      capturedAt: 1750000020000,
      taskId: 'task-1',
      source: 'fences',
    },
  },
})
