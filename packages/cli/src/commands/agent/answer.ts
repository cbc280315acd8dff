/** `agentpty agent answer`: the answer of an agent to its last task. */

import type { Client } from '@agentpty/protocol'
import { type Command, exitCode, withClient } from '../../command.ts'

export const printAnswer: Command = {
  name: 'agent answer',
  usage: 'ID',
  summary: 'print an agent’s answer to its last task',
  group: 'agents',
  words: [1, 1],
  completes: 'terminal',
  flags: { screen: { type: 'boolean', help: 'if there is no answer and no message, print the end of its screen' } },
  notes: ['The answer is kept, also when the daemon restarts. Answers to earlier tasks are never printed.'],
  examples: ['agentpty agent answer term-4', 'agentpty agent answer review > review.md'],
  run: async ({ options, words: [terminalId = ''], flags, json }) =>
    withClient(options, async (client) => {
      const capture = flags['screen'] === true ? 'answer' : 'missing'
      const { artifact } = await client.call('artifact', { terminalId, capture })
      if (artifact === null) {
        options.complain(`agentpty: ${await whyNone(client, terminalId)}\n`)
        return exitCode.failed
      }
      const { output, originalBytes, source } = artifact
      if (source === 'message')
        options.complain(
          `agentpty: ${terminalId} has put no answer between fences. This is its last message, by its transcript.\n`,
        )
      if (json) await options.print(`${JSON.stringify(artifact)}\n`)
      else await options.print(output.endsWith('\n') || output === '' ? output : `${output}\n`)
      const bytes = Buffer.byteLength(output)
      if (bytes < originalBytes) options.complain(`agentpty: these are the first ${bytes} of ${originalBytes} bytes.\n`)
      return exitCode.ok
    }),
}

/** Why there is none, and below it the next move. */
async function whyNone(client: Client, terminalId: string): Promise<string> {
  const { terminals } = await client.call('wait', { terminalIds: [terminalId], waitFor: 'none' })
  const [{ state, needs, question } = { state: 'ready' }] = terminals
  if (needs === 'answer')
    return `${terminalId} asks something first${question === undefined ? '.' : `: ${question}`}\nAnswer it: agentpty agent reply ${terminalId}`
  if (state === 'busy')
    return `${terminalId} is working and has not answered.\nWait for it: agentpty agent wait ${terminalId}`
  return `${terminalId} has put no answer between fences.\nSee its screen: agentpty agent answer ${terminalId} --screen`
}
