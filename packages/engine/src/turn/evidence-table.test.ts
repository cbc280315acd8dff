import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { activities, type Facts } from '@agentpty/protocol'
import { waitingForLine } from '@agentpty/protocol/testing'
import fc from 'fast-check'
import { test } from 'vitest'
import { evidence, type Hold, never, otherThreadsWork, type Row, type Unit, unproven } from './evidence-table.ts'
import { holdMsOf, judgeTurn, measure } from './judge-turn.ts'
import { allOf } from './kind-signs.ts'
import type { Rest } from './rest.ts'
import { signs } from './signs.ts'
import { situationAt } from './situation.ts'
import type { TurnMoment } from './turn-moment.ts'

const now = 100_000

test('docs/waiting.md shows every row of the table, in its order', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/waiting.md'), 'utf8')
  const shown = page.split('\n').filter((line) => line.startsWith('|'))
  const start = shown.indexOf(rowsInWords[0] ?? '')
  assert.deepEqual(shown.slice(start, start + rowsInWords.length), rowsInWords)
})

test('no row is out of reach of every moment', () => {
  const reached = new Set<Row>()
  const missed = () =>
    evidence.flatMap(({ title, rows }) => rows.filter((row) => !reached.has(row)).map(([name]) => [title, name]))
  // In parts, because the rarest row is usually found long before the last part.
  for (let seed = 0; seed < 60 && missed().length > 0; seed++) {
    for (const moment of fc.sample(moments, { numRuns: 5_000, seed })) {
      const row = rowAt(moment)
      if (row !== null) reached.add(row)
    }
  }
  assert.deepEqual(missed(), [])
})

test('ptyhost proves every rest that a row asks for', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../../../native/ptyhost/src/session_steps.c'), 'utf8')
  const [, steps = ''] = /rest_steps_ns\[\] = \{(.*?)\}/.exec(source) ?? []
  let proven = 0
  const provenMs = new Set(steps.split(',').map((step) => (proven += msOf(step.trim()))))
  const asked = evidence.flatMap(({ rows }) => rows.flatMap(([, hold, unit]) => (unit === 'rest' ? [hold] : [])))
  assert.deepEqual(
    asked.filter((ms) => typeof ms !== 'number' || ms > Math.max(...provenMs)),
    [],
  )
  // The shortest of them are proven when they are over and not a step later.
  for (const ms of [0.5, 2, 8]) assert.ok(asked.includes(ms) && provenMs.has(ms), `${ms} ms`)
})

/** `MS / 2`, `MS * 3 / 2`, `6 * MS` */
function msOf(expression: string): number {
  const [, times = '1', by = '1', over = '1'] = /^(?:(\d+) \* )?MS(?: \* (\d+))?(?: \/ (\d+))?$/.exec(expression) ?? []
  return (Number(times) * Number(by)) / Number(over)
}

test('every moment has a verdict, and asks again later where it only needs time', () => {
  const property = fc.property(moments, (moment) => {
    const { verdict, recheckAt } = judgeTurn(moment)
    assert.equal(verdict.kind === null, verdict.state !== 'ready')
    if (verdict.state !== 'busy') assert.equal(recheckAt, null)
    else if (recheckAt !== null) assert.ok(recheckAt > moment.now)
  })
  fc.assert(property, { numRuns: 5_000 })
})

// --- the row that decides ---

const rules = evidence.flatMap(({ when, rows }) => {
  return rows.map((row) => ({ row, fits: allOf(signs, [...when, ...row[4]]) }))
})

function rowAt(moment: TurnMoment): Row | null {
  const seen = { moment, situation: situationAt(moment) }
  const decides = ({ row, fits }: (typeof rules)[number]) => {
    const [, hold, unit, says] = row
    if (!fits(seen)) return false
    return says !== 'busy' || !measure(unit, holdMsOf(hold, unit, moment), moment).isOver
  }
  return rules.find(decides)?.row ?? null
}

// --- moments ---

/** Mostly `usual`: one unusual thing at a time leads to more rows than all of them together. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) })
}

const evenly = fc.constantFrom
const before = evenly(
  '',
  '',
  '',
  '',
  'name: ',
  '$ ',
  '>>> ',
  '(END)',
  'some text',
  'Password: ',
  'PIN: **',
  'any key: 9',
  'Your site › ',
  'Really quit? ',
)
const timer = evenly(null, null, null, null, 10, 100, 250, 999, 1_000, 2_000, 5_000)
const ago = evenly(0, 5, 100, 1_000, 20_000).map((ms) => now - ms)
const whether = fc.boolean()

const modes = evenly(
  { canonical: false, echo: false },
  { canonical: false, echo: false },
  { canonical: false, echo: true },
  { canonical: true, echo: false },
  { canonical: true, echo: true },
)

const facts: fc.Arbitrary<Facts> = fc
  .record({
    offset: mostly(0, 1),
    readable: mostly(true, false),
    consumed: mostly(true, false),
    inputPending: mostly(false, true),
    wait: evenly('none' as const, 'read' as const, 'poll' as const, 'epoll' as const),
    activity: evenly(...activities),
    inner: mostly(false, true),
    relay: mostly(false, true),
    passing: mostly(false, true),
    pipesOn: mostly(false, true),
    pipeRests: whether,
    shownNothing: whether,
    otherThreadsWork: mostly(false, true),
    state: evenly('S', 'R'),
    otherFds: evenly(0, 2),
    sockets: evenly(0, 1),
    threads: evenly(1, 4),
    children: mostly(0, 1),
    foreground: mostly(200, 100),
    waiter: mostly(200, 100),
    waiterThread: evenly(200, 201),
    timeoutMs: timer,
    mainTimeoutMs: timer,
    unread: mostly(0, 1),
    name: mostly('cat', 'bash', 'ssh'),
  })
  .chain((differs) => modes.map((mode) => ({ ...waitingForLine, at: 90_000, ...differs, ...mode })))

const lastRest: fc.Arbitrary<Rest> = fc.record({
  waiter: fc.constant(200),
  foreground: fc.constant(200),
  timeoutMs: timer,
  timerAt: evenly(null, 95_000),
  threads: mostly(4, 1),
  children: evenly(0, 1),
  mainEndless: whether,
  relayed: whether,
  otherFds: evenly(0, 2),
  sockets: evenly(0, 1),
  canonical: whether,
  asked: whether,
  asksAlways: whether,
  kind: evenly(null, 'shell' as const, 'repl' as const),
  interprets: whether,
})

const agent = fc.record({
  state: evenly('idle' as const, 'working' as const, 'blocked' as const),
  question: fc.constant(null),
  current: whether,
  quietMs: evenly(0, 120),
  motionlessMs: evenly(null, 2_000),
  until: evenly(null, now + 1),
  confidence: evenly('high' as const, 'medium' as const),
  why: fc.constant('its title says so'),
})

const output = fc
  .record({
    answered: whether,
    entered: whether,
    prompted: whether,
    paints: mostly(false, true),
    same: mostly(null, now - 2_000, now - 10),
    before,
    isKnown: whether,
    asks: whether,
    hasText: mostly(true, false),
  })
  .map(({ answered, entered, prompted, paints, same, before: line, isKnown, asks, hasText }) => ({
    answeredSinceInput: () => answered,
    lineEntered: () => entered,
    promptedSinceInput: () => prompted,
    paints: () => paints,
    sameScreenSince: () => same,
    cursorLine: () => ({ before: line, line, drawn: false }),
    lastLine: () => line,
    caretLine: () => null,
    isKnownPrompt: () => isKnown,
    asksAbove: () => asks,
    asksWithMarkAbove: () => false,
    hasShownText: () => hasText,
  }))

const moments: fc.Arbitrary<TurnMoment> = fc.record({
  now: fc.constant(now),
  exit: mostly(null, { code: 0, signal: null }),
  isPaused: mostly(false, true),
  logEnd: mostly(0, 5),
  parsedTo: fc.constant(1),
  output,
  lastOutputAt: ago,
  othersWorkedAt: mostly(0, now - 5),
  awaitsTerminal: mostly(false, true),
  lastInputAt: ago,
  inputUnfinished: mostly(false, true),
  escapeUntil: mostly(0, now + 50, now - 30),
  consumedAt: evenly(null, now - 10, now - 200),
  facts: fc.oneof({ weight: 20, arbitrary: facts }, { weight: 1, arbitrary: fc.constant(null) }),
  restingSince: ago.map((own) => ({ host: own - 10_000, own })),
  lastRest: fc.option(lastRest, { freq: 2 }),
  lastNap: evenly(null, { foreground: 200, kind: 'line' as const }),
  wentOn: mostly(false, true),
  waitIsKnown: whether,
  shell: evenly(null, 'bash'),
  awaitsPrompt: mostly(false, true),
  atPrompt: mostly(false, true),
  continues: whether,
  startedBy: fc.constant(''),
  commandRunning: whether,
  alternateScreen: mostly(false, true),
  bracketedPaste: whether,
  cursorHidden: mostly(false, true),
  screenSinceInput: whether,
  pasteSinceInput: whether,
  progressing: mostly(false, true),
  agent: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: agent }),
})

// --- the table in words ---

const unitWords: Readonly<Record<Unit, string>> = {
  rest: 'of rest',
  quiet: 'of quiet',
  report: 'of quiet',
  still: 'of the same screen',
  motion: 'of quiet',
  input: 'after the input',
  sinceInput: 'after the input',
  proof: 'after the input',
  escape: 'after it was taken',
  until: '',
  event: '',
}

const rowsInWords: readonly string[] = [
  ...evidence.flatMap(({ title, rows }) => [`| **${title}** | | |`, ...rows.map(inWords)]),
  '| **whatever the kernel shows** | | |',
  ...[...unproven, otherThreadsWork].map(inWords),
]

function inWords([name, hold, unit, says]: Row): string {
  return `| ${name} | ${holdInWords(hold, unit)} | ${says === 'reported' ? 'as reported' : says} |`
}

function holdInWords(hold: Hold, unit: Unit): string {
  const { [unit]: of } = unitWords
  if (hold === 0) return 'at once'
  if (hold === never) return 'until that changes'
  if (hold === 'reported') return `as many ms ${of} as the report asks for`
  if (typeof hold === 'number') return `${hold.toLocaleString('en')} ms ${of}`
  const { times, plus, min, max } = hold
  const sum = `${times === 1 ? '' : `${times} `}N${plus === undefined ? '' : ` + ${plus}`} ms ${of}`
  const least = min === undefined ? '' : `, at least ${min}`
  return `${sum}${least}${max === undefined ? '' : `, at most ${max.toLocaleString('en')}`}`
}
