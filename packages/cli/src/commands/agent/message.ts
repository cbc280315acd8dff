/** `agentpty agent message`: a message into the inbox of another agent, and what becomes of it. */

import type { Client } from '@agentpty/protocol'
import type { Message } from '@agentpty/protocol/agents'
import { type Command, type CommandCall, exitCode, numberFlag, withClient } from '../../command.ts'
import { tell, textOf } from './agent-words.ts'

/** How long one call waits; it is repeated. */
const callMs = 50_000

export const messageAgent: Command = {
  name: 'agent message',
  usage: 'ID TEXT... | parent TEXT... | ID -',
  summary: 'send a message to an agent’s inbox; print the id of the message',
  group: 'agents',
  words: [2, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags: {
    wait: { type: 'boolean', help: 'wait until the message was delivered or taken; exit code 1 if it cannot be' },
    timeout: { type: 'string', value: 'MS', help: 'with --wait: the longest wait; default: no limit' },
    steer: { type: 'boolean', help: 'an instruction for the current turn of an agent that you started' },
  },
  notes: [
    '`parent` is the terminal from which this terminal was started. `-` reads the text from standard input.',
    'The agent reads the message once it is idle, as data from the sender and not as a task. For tasks: agentpty agent send',
  ],
  examples: [
    'agentpty agent message parent "the tests are green"',
    'agentpty agent message term-4 --steer "use a queue"',
  ],
  run: async (call) => {
    const { options, flags, json } = call
    const [to = '', ...words] = call.words
    const text = await textOf(words, call)
    const receiver = to === 'parent' ? ({ toParent: true } as const) : { terminalId: to }
    return withClient(options, async (client) => {
      const sent = await client.call('sendMessage', { ...receiver, text, steer: flags['steer'] === true })
      if (flags['wait'] === true) return untilOver(client, sent.messageId, call)
      await options.print(json ? `${JSON.stringify(sent)}\n` : `${sent.messageId}\n`)
      tell(call, `It waits until ${sent.terminalId} is idle. What became of it: agentpty agent inbox --sent`)
      return exitCode.ok
    })
  },
}

async function untilOver(client: Client, messageId: string, { options, flags, json }: CommandCall): Promise<number> {
  if (!json) await options.print(`${messageId}\n`)
  const deadline = options.clock.now() + (numberFlag(flags, 'timeout') ?? Number.POSITIVE_INFINITY)
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(Math.min(callMs, deadline - options.clock.now())))
    const { messages } = await client.call('sentMessages', { messageIds: [messageId], waitTimeoutMs: leftMs })
    const [message] = messages
    if (message === undefined) throw new Error('a requested message is missing from the result')
    if (message.state === 'waiting' && options.clock.now() < deadline) continue
    if (json) await options.print(`${JSON.stringify(message)}\n`)
    return codeOf(message, options)
  }
}

function codeOf({ messageId, state, why }: Message, { complain }: CommandCall['options']): number {
  if (state === 'delivered' || state === 'taken') return exitCode.ok
  if (state === 'waiting') complain(`agentpty: ${messageId} still waits. It is not lost: agentpty agent inbox --sent\n`)
  else complain(`agentpty: ${messageId} is ${state}: ${why ?? ''}\n`)
  return state === 'waiting' ? exitCode.timeout : exitCode.failed
}
