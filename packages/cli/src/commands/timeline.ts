/** `agentpty timeline`: the history of a terminal, with the author of each item. */

import { defined } from '@agentpty/protocol'
import { type TimelineItem, timelineItemsDefault, timelineItemsMax } from '@agentpty/protocol/timeline'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, numberFlag, printResult, textFlag, withClient } from '../command.ts'
import { timelineRows } from '../format-tables.ts'

export const showTimeline: Command = {
  name: 'timeline',
  usage: 'ID',
  summary: 'show the history of a terminal: commands, input, questions, approvals',
  group: 'records',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    limit: { type: 'string', short: 'n', value: 'N', help: `show the newest N; default ${timelineItemsDefault}` },
    before: { type: 'string', value: 'PLACE', help: 'show older entries: the `next` of an earlier --json' },
  },
  notes: ['The newest entry is last. Text that a person types and answers to questions are not shown.'],
  examples: ['agentpty timeline build', 'agentpty timeline term-3 -n 500 --json'],
  run: async (call) => {
    const found = await read(call)
    const { options, json } = call
    return printResult({ options, json }, found, textOf(found, options.isoTime))
  },
}

type Found = VerbOutput<'timeline'>

/** An answer may hold fewer than were asked for, because only a part of the journal is read for one. */
async function read({ options, words: [terminalId = ''], flags }: CommandCall): Promise<Found> {
  const limit = Math.min(numberFlag(flags, 'limit') ?? timelineItemsDefault, timelineItemsMax)
  return withClient(options, async (client) => {
    let before = textFlag(flags, 'before')
    let items: readonly TimelineItem[] = []
    for (;;) {
      const found = await client.call('timeline', defined({ terminalId, before, limit: limit - items.length }))
      items = [...found.items, ...items]
      before = found.next
      if (before === undefined || items.length >= limit) return { ...found, items: [...items] }
    }
  })
}

function textOf({ items, next, missing = [] }: Found, isoTime: (wall: number) => string): string {
  if (items.length === 0) return 'Nothing is known to have happened there.\n'
  const older = next !== undefined ? 'There is more before this: -n, or --json and --before.\n' : ''
  const notKept = missing.length > 0 ? `Not kept any more: older ${missing.join(' and ')}.\n` : ''
  return `${older}${notKept}${timelineRows(items, isoTime).join('')}`
}
