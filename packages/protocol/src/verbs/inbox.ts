import * as z from 'zod'
import { Message } from '../agents/messages.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { defaultsTo, defineVerb } from './verb.ts'

/** As an example. */
export const waitingMessage: Message = {
  messageId: 'term-4-m1',
  terminalId: 'term-4',
  from: 'term-5',
  fromName: 'review',
  kind: 'message',
  text: 'the tests are green',
  sentAt: 1750000020000,
  state: 'waiting',
  endedAt: null,
  why: null,
}

export const inbox = defineVerb({
  name: 'inbox',
  tool: null,
  title: 'Read inbox',
  summary: 'The messages that wait for an agent; on request they are taken out, each exactly once.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: ({ take: taken }) => taken,
  words: { cli: 'agentpty agent inbox', library: 'client.call("inbox")' },
  input: z.strictObject({
    terminalId: defaultsTo(
      TerminalId.optional().describe('Whose inbox, by the id or the name of its terminal.'),
      'the caller’s own terminal',
    ),
    take: z
      .enum(['none', 'steering', 'all'])
      .default('none')
      .describe(
        'Which are taken out: none, those that steer, or all. Of an agent that the caller has not started, none.',
      ),
    ended: z
      .boolean()
      .default(false)
      .describe('Where none is taken: those, too, that are over, as far as they are kept.'),
  }),
  output: z.object({
    messages: z.array(Message).describe('In the order in which they were sent.'),
    text: z.string().describe('Those that were taken as one text for their receiver, marked; empty without any.'),
  }),
  example: { terminalId: 'term-4' },
  answer: {
    text: '',
    messages: [waitingMessage],
  },
})
