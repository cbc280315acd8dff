import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { TerminalId, typedText, waitTimeoutMs } from '../call/terminal-fields.ts'
import { sendBytesMax } from '../limits.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const instruct = defineVerb({
  name: 'instruct',
  tool: null,
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
  answer: {
    taskId: 'task-1',
    outcome: 'met',
    output: '',
    cursor: 2204,
    state: 'busy',
    kind: 'agent',
    confidence: 'certain',
  },
})
