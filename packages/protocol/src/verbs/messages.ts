import * as z from 'zod'
import { Message, MessageState } from '../agents/messages.ts'
import { messageBytesMax, waitingMessagesMax } from '../agents/tree-limits.ts'
import { TerminalId, typedText } from '../call/terminal-fields.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const sendMessage = defineVerb({
  name: 'sendMessage',
  title: 'Send message',
  summary:
    'Put a message into the inbox of an agent: it is typed there, marked as data, once the agent is idle, unless the agent takes it first.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent message', library: 'client.call("sendMessage")' },
  input: z.strictObject({
    terminalId: TerminalId.optional().describe('The receiver, by the id or the name of its terminal.'),
    toParent: z
      .literal(true)
      .optional()
      .describe('In place of a terminal: the one from which the caller’s own was started.'),
    text: typedText(messageBytesMax, 'put the rest into a file and name it')
      .min(1)
      .describe('What it says. Control characters are left out.'),
    steer: z
      .boolean()
      .default(false)
      .describe(
        'An instruction for the turn that is under way, for agents that the caller has started; a hook hands it over, else it waits as any message.',
      ),
  }),
  output: z.object({
    messageId: z.string().describe('Its id.'),
    terminalId: z.string().describe('The terminal of the receiver.'),
    state: MessageState,
  }),
  example: { terminalId: 'term-4', text: 'the tests are green' },
})

export const inbox = defineVerb({
  name: 'inbox',
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
})

export const sentMessages = defineVerb({
  name: 'sentMessages',
  title: 'List sent messages',
  summary: 'What has become of the messages that the caller has sent; on request once none of them waits any more.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent message --wait', library: 'client.call("sentMessages")' },
  input: z.strictObject({
    messageIds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(waitingMessagesMax)
      .optional()
      .describe('These alone. Without them: all that are kept.'),
    waitTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe('Wait this long at most until none of them waits any more.'),
  }),
  output: z.object({ messages: z.array(Message).describe('By receiver, in the order in which they were sent.') }),
  example: { messageIds: ['term-4-m1'] },
})
