import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { artifactBytesMax } from '../limits.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const keepAnswer = defineVerb({
  name: 'keepAnswer',
  tool: null,
  title: 'Keep answer',
  summary:
    'Keep the answer of an agent to its task as it, or its hook, says it; only an agent itself, or whoever has started it, may.',
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
    taskId: z.string().nullable().describe('What it answers; null where nobody has instructed the agent.'),
  }),
  example: { terminalId: 'term-4', output: 'The test is fixed.' },
  answer: { kept: true, taskId: 'task-1' },
})
