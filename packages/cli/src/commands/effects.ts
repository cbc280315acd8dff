/** `agentpty effects report`: what the gates of terminals would have asked about. It reads the journal without a daemon. */

import { defined } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import type { EffectRow, EffectsReport } from '@agentpty/protocol/effects'
import { type Command, printResult, textFlag } from '../command.ts'
import { cell, table } from '../format-tables.ts'
import { sinceIn } from '../parse-values.ts'

const charactersMax = 1_000
const widthMax = 60

export const reportEffects: Command = {
  name: 'effects report',
  usage: '',
  summary: 'show which file changes of programs the gate would ask about',
  group: 'records',
  words: [0, 0],
  flags: {
    session: { type: 'string', short: 's', value: 'ID', help: 'only this terminal' },
    since: { type: 'string', value: 'TIME', help: '30m, 2h, 7d, or a time such as 2026-05-01T12:00' },
  },
  notes: [
    'Only terminals with a gate report changes: set `gate: journal` below `policy:` in config.yaml, or use `agentpty new --gate journal`.',
    'One question covers one job, one kind of change and one place: `rm -rf` of a folder is one question. docs/effects.md lists the changes that are free.',
  ],
  examples: ['agentpty effects report --since 7d', 'agentpty effects report --session term-3 --json'],
  run: async (call) => {
    const room = await call.options.audit()
    const query = defined({ session: textFlag(call.flags, 'session'), since: sinceIn(call.flags, room) })
    const report = await room.effects(query)
    return printResult(call, report, inWords(report))
  },
}

function inWords({ rows, questions, terminals, blind }: EffectsReport): string {
  const blindWords = Object.entries(blind).map(
    ([reason, count]) => `${count} calls could not be judged: ${reasons[reason] ?? reason}.\n`,
  )
  if (rows.length === 0) return `${nothing}${blindWords.join('')}`
  const cells = rows.map((row) => [
    `${row.questions}`,
    `${row.calls}`,
    row.program,
    row.verb,
    plain(row.area),
    exampleOf(row),
  ])
  const sum = `${counted(questions, 'question')} in ${counted(terminals, 'terminal')}.\n`
  return `${table([['QUESTIONS', 'CALLS', 'PROGRAM', 'EFFECT', 'WHERE', 'FOR EXAMPLE'], ...cells])}${sum}${blindWords.join('')}`
}

const nothing =
  'Nothing would have been asked about. Only terminals with a gate report: agentpty new --gate journal, or gate: journal below policy.\n'

const reasons: Readonly<Record<string, string>> = {
  unread: 'the memory of the program could not be read',
  unresolved: 'the path could not be resolved',
  uring: 'the program uses io_uring, whose calls the gate does not see',
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const exampleOf = ({ command, terminals }: EffectRow) => `${plain(command)} (${terminals[0]})`
const plain = (text: string) => cell(shownText(text.trim(), charactersMax), widthMax)
