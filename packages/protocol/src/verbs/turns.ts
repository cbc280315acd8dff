import * as z from 'zod'
import { ArtifactSource } from '../agents/kept-agents.ts'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId, typedText, WaitFor, waitTimeoutMs } from '../call/terminal-fields.ts'
import { artifactBytesMax, awaitedAgentsMax, scrollbackRows, sendBytesMax } from '../limits.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const instruct = defineVerb({
  name: 'instruct',
  title: 'Instruct agent',
  summary:
    'Give an agent a task: typed once it is idle, never into a dialog, and proved to be taken. Its answer is the artifact of the task.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent send', library: 'client.call("instruct")' },
  input: z.strictObject({
    terminalId: TerminalId,
    text: typedText(sendBytesMax).describe('What it shall do. A long text is given as a file to read.'),
    asksForAnswer: defaultsTo(
      z
        .boolean()
        .optional()
        .describe('Asked to put its final answer between fences of this task’s own, by which it is found.'),
      '`true` for agents that are known by name',
    ),
    waitFor: defaultsTo(WaitFor.optional().describe('As in `send`.'), '`"none"`'),
    waitTimeoutMs,
  }),
  output: z.object({
    taskId: z.string().describe('The task; its artifact carries the same id.'),
    ...observationFields,
  }),
  example: { terminalId: 'term-4', text: 'fix the test', asksForAnswer: true },
})

export const awaitAgents = defineVerb({
  name: 'awaitAgents',
  title: 'Wait for agents',
  summary:
    'Wait until agents have finished what they were instructed to do: all of them, or any. Ends at once when one of them is lost.',
  effect: 'reads',
  touches: ['terminalIds'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent wait', library: 'client.call("awaitAgents")' },
  input: z.strictObject({
    terminalIds: z.array(TerminalId).min(1).max(awaitedAgentsMax).describe('Their terminals.'),
    until: z
      .enum(['all', 'any'])
      .default('all')
      .describe('`any`: until one has finished, or asks where that ends the wait.'),
    atDialog: z
      .enum(['wait', 'end'])
      .default('wait')
      .describe('`wait`: until the dialog of an agent is answered. `end`: its question is for the caller.'),
    waitTimeoutMs,
  }),
  output: z.object({
    agents: z
      .array(
        z.object({
          terminalId: TerminalId,
          outcome: z
            .enum(['finished', 'asks', 'timeout', 'gone'])
            .optional()
            .describe(
              '`asks`: a dialog is up. `gone`: its terminal was closed. Absent where the wait for others has ended it.',
            ),
          why: z.string().optional().describe('What has closed it, where no caller has: a limit of time.'),
          ...z.object(verdictFields).partial().shape,
        }),
      )
      .describe('One entry for each, in the order asked for.'),
  }),
  example: { terminalIds: ['term-4'] },
})

const Fence = z.string().min(1).max(200)

export const artifact = defineVerb({
  name: 'artifact',
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
        taskId: z.string().nullable().describe('The task it answers; null if the agent was not instructed.'),
        source: ArtifactSource.describe(
          '`transcript`: the answer, to the letter. `fences`: the answer, whole, as its screen has shown it. `hook`: the same, as its own hook has reported it. `message`: its last message by its transcript, because it has put nothing between fences. `screen`: the end of its screen, with whatever stood there.',
        ),
      })
      .nullable()
      .describe('null when there is none.'),
  }),
  example: { terminalId: 'term-4', capture: 'answer' },
})

export const reply = defineVerb({
  name: 'reply',
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
    asked: z.string().describe('The question of the dialog, as far as it is known.'),
    options: z
      .array(
        z.object({
          number: z.number().int().describe('As the dialog numbers it; else its place, from 1 on.'),
          label: z.string().describe('As shown there; a description behind it follows after a dash.'),
          isHighlighted: z.boolean().describe('Enter would take it.'),
        }),
      )
      .describe('What could be chosen.'),
    chosen: z.string().nullable().describe('The label of the option that was chosen; null when only asked.'),
    ...verdictFields,
  }),
  example: { terminalId: 'term-4', option: 'Yes, proceed' },
})

export const keepAnswer = defineVerb({
  name: 'keepAnswer',
  title: 'Keep answer',
  summary:
    'Keep the answer of an agent to its task as it, or its hook, says it; only the agent itself, or the caller that started it, may.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty hook emit', library: 'client.call("keepAnswer")' },
  input: z.strictObject({
    terminalId: defaultsTo(
      TerminalId.optional().describe('The agent, by the id or the name of its terminal.'),
      'the caller’s own terminal',
    ),
    output: z
      .string()
      .max(artifactBytesMax)
      .describe('What it has answered; where the fences of its task are in it, what stands between them.'),
    unlessAnswered: z
      .boolean()
      .default(false)
      .describe(
        'Not where an answer to the same task is kept, unless the fences are in it: the last turn may have been about something else.',
      ),
  }),
  output: z.object({
    kept: z.boolean().describe('Whether it was.'),
    taskId: z.string().nullable().describe('The task it answers; null if the agent was not instructed.'),
  }),
  example: { terminalId: 'term-4', output: 'The test is fixed.' },
})
