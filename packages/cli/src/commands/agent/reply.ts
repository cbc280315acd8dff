/** `agentpty agent reply`: the answer to a dialog of an agent, by one of its options. */

import { defined } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, printResult, withClient } from '../../command.ts'

export const replyToAgent: Command = {
  name: 'agent reply',
  usage: 'ID [OPTION...]',
  summary: 'answer the dialog of an agent; without OPTION, print its question and options',
  group: 'agents',
  words: [1, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  notes: [
    'OPTION: its number, its label, or words that only this label contains.',
    'Exit code 0 means that the dialog has closed. Otherwise the error says what the screen shows.',
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
