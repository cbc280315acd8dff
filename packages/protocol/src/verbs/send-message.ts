import * as z from 'zod'
import { messageBytesMax } from '../agents/agent-limits.ts'
import { MessageState } from '../agents/messages.ts'
import { TerminalId, typedText } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const sendMessage = defineVerb({
  name: 'sendMessage',
  tool: null,
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
  answer: { messageId: 'term-4-m1', terminalId: 'term-4', state: 'waiting' },
})
