import * as z from 'zod'
import { verdictFields } from '../call/observation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { awaitedAgentsMax } from '../limits.ts'
import { defineVerb } from './verb.ts'

export const awaitAgents = defineVerb({
  name: 'awaitAgents',
  tool: null,
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
      .describe('`wait`: until somebody has answered the dialog of an agent. `end`: its question is for the caller.'),
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
  answer: {
    agents: [{ terminalId: 'term-4', outcome: 'finished', state: 'ready', kind: 'agent', confidence: 'high' }],
  },
})
