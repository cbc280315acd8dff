/** The tools of messages: to other agents, and from them. */

import { defined } from '@agentpty/protocol'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { CallOfAgents } from './call.ts'
import type { AgentsInput } from './contract.ts'
import { findRunning } from './find.ts'

/** What was sent and not read, the newest. */
const unreadMax = 10

export async function messageAgent(input: AgentsInput<'message_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { client, signal } = call
  const { text, steer } = input
  const receiver =
    input.id === 'parent'
      ? ({ toParent: true } as const)
      : { terminalId: (await findRunning('message_agent', input, call)).terminalId }
  const sent = await client.call('sendMessage', { ...receiver, ...defined({ text, steer }) }, { signal })
  return { message_id: sent.messageId, id: sent.terminalId, state: sent.state }
}

export async function readInbox(_input: AgentsInput<'read_inbox'>, call: CallOfAgents): Promise<JsonObject> {
  const { client, signal } = call
  const sent = (await client.call('sentMessages', {}, { signal })).messages
  const { messages } = await client.call('inbox', { take: 'all' }, { signal })
  const unread = sent.filter(({ state }) => state !== 'delivered' && state !== 'taken').slice(-unreadMax)
  return defined({
    messages: messages.map(({ from, fromName, kind, text }) =>
      defined({ from: from ?? 'outside', name: fromName ?? undefined, steer: kind === 'steering' || undefined, text }),
    ),
    unread:
      unread.length === 0
        ? undefined
        : unread.map(({ messageId, terminalId, state }) => ({ message_id: messageId, id: terminalId, state })),
  })
}
