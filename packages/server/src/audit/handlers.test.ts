/** The contents of a terminal's timeline, by caller. */

import type { TerminalRecord, TerminalRecords } from '@agentpty/protocol/audit'
import { readCast } from '@agentpty/protocol/recording'
import { expect, onTestFinished, test } from 'vitest'
import { inTime, openFakeEngine, pass } from '../fake-engine.ts'

const record = (n: number, more: object): TerminalRecord =>
  ({ n, id: `au-${n}`, prev: '', session: 'term-1', ...more }) as TerminalRecord

function journalOf(records: readonly TerminalRecord[]): TerminalRecords {
  return { read: async () => ({ records, completeAfter: null, oldest: 1, isCut: false }) }
}

const command = (line: string, output: string, code: number) =>
  `\x1b]133;A\x07$ \x1b]133;B\x07${line}\r\n\x1b]133;C\x07${output}\x1b]133;D;${code}\x07`

async function open(records: (at: number) => readonly TerminalRecord[] = () => []) {
  const later: TerminalRecord[] = []
  const engine = openFakeEngine({}, () => [], { journal: journalOf(later) })
  onTestFinished(pass(engine.clock))
  await engine.client.call('create', { command: ['sh'], waitFor: 'none' })
  later.push(...records(engine.clock.wall()))
  return engine
}

test('commands of the shell are listed with their exit codes and the place of their output', async () => {
  const engine = await open()
  await engine.pty(1).prints(command('make', 'one\r\n', 0))
  await engine.pty(1).prints(command('false', '', 1))
  const { items } = await inTime(engine, engine.client.call('timeline', { terminalId: 'term-1' }))
  expect(items).toMatchObject([
    { kind: 'command', line: 'make', exitCode: 0 },
    { kind: 'command', line: 'false', exitCode: 1 },
  ])
  const [make] = items
  if (make?.kind !== 'command' || make.end === null) throw new Error('no command')
  const range = { since: make.offset, until: make.end }
  expect(await engine.client.call('read', { terminalId: 'term-1', ...range })).toMatchObject({ output: 'one' })
})

test('a command begins when it was entered, also where it prints nothing for long', async () => {
  const engine = await open()
  const begun = engine.clock.wall()
  await engine.pty(1).prints('\x1b]133;A\x07$ \x1b]133;B\x07sleep\r\n\x1b]133;C\x07')
  engine.clock.advance(60_000)
  await engine.pty(1).prints('done\r\n\x1b]133;D;0\x07')
  const { items } = await inTime(engine, engine.client.call('timeline', { terminalId: 'term-1' }))
  const [sleep] = items
  if (sleep?.kind !== 'command' || sleep.endedAt === null) throw new Error('no command')
  expect(sleep.at - begun).toBeLessThan(30_000)
  expect(sleep.endedAt - sleep.at).toBeGreaterThanOrEqual(60_000)
  const { recording } = await engine.client.call('recording', { terminalId: 'term-1', version: 3 })
  const { events } = readCast(recording, 'it')
  const mark = events.find(({ code }) => code === 'm')
  const output = events.find(({ data }) => data.includes('done'))
  expect((output?.at ?? 0) - (mark?.at ?? 0)).toBeGreaterThanOrEqual(60_000)
})

test('input is listed with its author from the journal, and an extended take-over is one entry', async () => {
  const lease = (n: number, at: number, verb: string) =>
    record(n, {
      kind: 'call',
      at,
      verb,
      who: { client: 'p', program: 'page (Firefox)', person: true },
      outcome: 'done',
    })
  const engine = await open((at) => [
    lease(5, at + 40, 'release'),
    lease(4, at + 30, 'take'),
    lease(3, at + 20, 'take'),
    record(2, {
      kind: 'call',
      at: at + 10,
      verb: 'send',
      text: 'make',
      bytes: 5,
      offset: 0,
      outcome: 'done',
      who: { client: 'mcp-1', program: 'claude-code (MCP)', chain: ['term-9'], through: ['claude in term-9'] },
    }),
    record(1, {
      kind: 'approval',
      at: at + 5,
      event: 'denied',
      approvalId: 'ap-1',
      rule: 'r',
      resolved: 'rm x',
      by: 'ada',
    }),
  ])
  const { items } = await inTime(engine, engine.client.call('timeline', { terminalId: 'term-1' }))
  expect(items).toMatchObject([
    { kind: 'approval', event: 'denied', who: 'ada', text: 'rm x' },
    { kind: 'typed', who: 'claude-code (MCP) through claude in term-9', isPerson: false, text: 'make' },
    { kind: 'lease', event: 'taken', who: 'person page (Firefox)' },
    { kind: 'lease', event: 'released' },
  ])
})

test('a caller with a scope does not see the terminals of others through which a call came', async () => {
  const later: TerminalRecord[] = []
  const engine = openFakeEngine({}, () => [], { journal: journalOf(later) })
  onTestFinished(pass(engine.clock))
  const scoped = engine.clientOf({ client: 'a', scope: { id: 'a', name: 'a', holds: () => true } })
  await scoped.call('create', { command: ['sh'], waitFor: 'none' })
  const who = { client: 'mcp-1', program: 'claude', chain: ['term-9'], through: ['claude in term-9'] }
  later.push(record(1, { kind: 'call', at: engine.clock.wall() + 1, verb: 'send', who, outcome: 'done' }))
  const timeline = await inTime(engine, scoped.call('timeline', { terminalId: 'term-1' }))
  expect(timeline.items).toMatchObject([{ who: 'claude' }])
  expect(JSON.stringify(timeline)).not.toContain('term-9')
})

test('an answer to a question is listed with the question, and never with the answer', async () => {
  const question = 'Reading\r\nPassword for ada: '
  const engine = await open((at) => [
    record(1, {
      kind: 'call',
      at: at + 10,
      verb: 'secret',
      offset: question.length,
      outcome: 'done',
      who: { client: 'p', program: 'page', person: true },
    }),
  ])
  await engine.pty(1).prints(question)
  const { items } = await inTime(engine, engine.client.call('timeline', { terminalId: 'term-1' }))
  expect(items.filter(({ kind }) => kind === 'question')).toMatchObject([
    { state: 'answered', text: 'Password for ada:', who: 'person page', isPerson: true },
  ])
})

test('pages go back to the first item, and the end of the program is the last', async () => {
  const engine = await open()
  for (let turn = 0; turn < 5; turn++) await engine.pty(1).prints(command(`echo ${turn}`, `${turn}\r\n`, 0))
  engine.pty(1).exits({ code: 3 })
  const lines: string[] = []
  let before: string | undefined
  do {
    const page = await inTime(
      engine,
      engine.client.call('timeline', { terminalId: 'term-1', limit: 2, ...(before === undefined ? {} : { before }) }),
    )
    lines.unshift(...page.items.map((item) => (item.kind === 'command' ? item.line : item.kind)))
    before = page.next
  } while (before !== undefined)
  expect(lines).toEqual(['echo 0', 'echo 1', 'echo 2', 'echo 3', 'echo 4', 'exit'])
})
