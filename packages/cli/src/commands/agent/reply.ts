/** `agentpty agent reply`: the answer to a dialog of an agent, by one of its options. */

import { defined } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, printResult, withClient } from '../../command.ts'

export const replyToAgent: Command = {
  name: 'agent reply',
  usage: 'ID [OPTION...]',
  summary: 'choose an option of the dialog that an agent shows; without one: print what it asks, and its options',
  group: 'agents',
  words: [1, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  notes: [
    'OPTION: its number, its label, or words of the label that no other option has.',
    'It was chosen when the command ends with 0: the dialog has gone. Else the error says what is there.',
  ],
  examples: [
    'agentpty agent reply term-4',
    'agentpty agent reply term-4 2',
    'agentpty agent reply review "allow once"',
  ],
  run: async ({ options, words, json }) => {
    const [terminalId = '', ...rest] = words
    const option = rest.length === 0 ? undefined : rest.join(' ')
    const replied = await withClient(options, (client) => client.call('reply', defined({ terminalId, option })))
    return printResult({ options, json }, replied, textOf(replied))
  },
}

function textOf({ asked, options, chosen, needs, question }: VerbOutput<'reply'>): string {
  if (chosen === null) {
    const rows = options.map(({ number, label, isHighlighted }) => `${isHighlighted ? '›' : ' '} ${number}. ${label}\n`)
    return `${asked}\n${rows.join('')}`
  }
  const next = needs === 'answer' ? `It asks again: ${question ?? 'see its screen'}\n` : ''
  return `${chosen}\n${next}`
}
