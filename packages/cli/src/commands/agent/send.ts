/** `agentpty agent send`: an instruction for an agent, with proof that it was taken. */

import { defined } from '@agentpty/protocol'
import { type Command, exitCode, numberFlag, withClient } from '../../command.ts'
import { ProgressLine } from '../../plain-text.ts'
import { asksForAnswer, fenceFlags, tell, textOf } from './agent-words.ts'

export const instructAgent: Command = {
  name: 'agent send',
  usage: 'ID TEXT... | ID -',
  summary: 'give an idle agent its next task; print the id of the task',
  group: 'agents',
  words: [2, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags: {
    ...fenceFlags,
    timeout: { type: 'string', value: 'MS', help: 'the longest wait until the agent is idle; default 30000' },
  },
  notes: [
    '`-` reads the text from standard input. A long text is passed on as a file.',
    'It has been taken when the command ends with 0. Else nothing was typed, or the error says what stands where:',
    'an agent that is working, a dialog, a draft in its input box, or an Enter that it did not take.',
  ],
  examples: ['agentpty agent send term-4 "now write the test"', 'git diff | agentpty agent send review -'],
  run: async (call) => {
    const { options, flags, json } = call
    const [terminalId = '', ...words] = call.words
    const text = await textOf(words, call)
    const input = { terminalId, text, waitTimeoutMs: numberFlag(flags, 'timeout'), asksForAnswer: asksForAnswer(flags) }
    const progress = new ProgressLine(call)
    progress.show(`Waiting until ${terminalId} can be instructed …`)
    const given = await withClient(options, (client) => client.call('instruct', defined(input))).finally(() =>
      progress.clear(),
    )
    await options.print(json ? `${JSON.stringify(given)}\n` : `${given.taskId}\n`)
    tell(call, `It is working. Its answer: agentpty agent wait ${terminalId} && agentpty agent answer ${terminalId}`)
    return exitCode.ok
  },
}
