/** Turns the messages of gates into records of the journal, and these into the report of `agentpty effects report`. */

import type { AuditBody, BodyOf, RecordOf } from '@agentpty/protocol/audit'
import type { EffectRow, EffectsReport, GateMessage } from '@agentpty/protocol/effects'

const charactersMax = 300

/** Null for what is no record: a gate that works. */
export function effectRecord(session: string, message: GateMessage): AuditBody | null {
  switch (message.kind) {
    case 'state':
      return message.state === 'none' ? { kind: 'gate', event: 'none', session, why: message.reason } : null
    case 'blind':
      return { kind: 'gate', event: 'blind', session, why: message.reason, count: message.count }
    case 'asks': {
      const { id, count, verb, answer, program, pid, command, area, path } = message
      const words = { command: shortened(command), area: shortened(area), path: shortened(path) }
      return { kind: 'effect', session, question: id, what: verb, count, answer, program, pid, ...words }
    }
  }
}

/** The end of a path says most. */
const shortened = (text: string) => (text.length > charactersMax ? `[...]${text.slice(-charactersMax)}` : text)

type Recorded = RecordOf<'effect'> | RecordOf<'gate'>

/** `records`: in their order. */
export function effectsReport(records: Iterable<Recorded>): EffectsReport {
  const questions = new Map<string, RecordOf<'effect'>>()
  const blind = new Map<string, RecordOf<'gate'>>()
  for (const record of records) {
    // A record has the count until then: the last one of a question counts.
    if (record.kind === 'effect') questions.set(keyOf(record), record)
    else if (record.event === 'blind') blind.set(`${record.session} ${record.why}`, record)
  }
  const all = [...questions.values()]
  return {
    rows: rowsOf(all),
    questions: all.length,
    terminals: new Set(all.map(({ session }) => session)).size,
    blind: countsOf([...blind.values()]),
  }
}

const keyOf = ({ session, question, pid, what, area }: BodyOf<'effect'>) =>
  [session, question, pid, what, area].join('\0')

function rowsOf(questions: readonly RecordOf<'effect'>[]): readonly EffectRow[] {
  const groups = new Map<string, RecordOf<'effect'>[]>()
  for (const one of questions) {
    const key = [one.program, one.what, one.area].join('\0')
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map(rowOf).sort((a, b) => b.questions - a.questions || b.lastAt - a.lastAt)
}

function rowOf(group: readonly RecordOf<'effect'>[]): EffectRow {
  const last = group.at(-1) as RecordOf<'effect'>
  return {
    program: last.program,
    verb: last.what,
    area: last.area,
    questions: group.length,
    calls: group.reduce((sum, { count }) => sum + count, 0),
    terminals: [...new Set(group.map(({ session }) => session))],
    command: last.command,
    lastAt: last.at,
  }
}

function countsOf(records: readonly RecordOf<'gate'>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { why = '', count = 0 } of records) counts[why] = (counts[why] ?? 0) + count
  return counts
}
