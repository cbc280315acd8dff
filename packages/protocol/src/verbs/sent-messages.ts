import * as z from 'zod'
import { waitingMessagesMax } from '../agents/agent-limits.ts'
import { Message } from '../agents/messages.ts'
import { waitingMessage } from './inbox.ts'
import { defineVerb } from './verb.ts'

export const sentMessages = defineVerb({
  name: 'sentMessages',
  tool: null,
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
  answer: {
    messages: [{ ...waitingMessage, state: 'delivered', endedAt: 1750000021000 }],
  },
})
