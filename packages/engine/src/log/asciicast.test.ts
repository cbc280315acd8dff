import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeAsciicast } from './asciicast.ts'
import { OutputLog } from './output-log.ts'
import { Timeline } from './timeline.ts'

const startedAt = 1_700_000_000_000
const size = { cols: 80, rows: 24 }

type Step = { readonly ms: number; readonly text: string } | { readonly ms: number; readonly cols: number }

/** A log to which the steps have happened. */
function recorded(steps: readonly Step[], capacityBytes = 1_000_000) {
  const log = new OutputLog({ capacityBytes })
  const timeline = new Timeline(size)
  let at = startedAt
  for (const step of steps) {
    at += step.ms
    if ('cols' in step) timeline.resized(log.end, at, { cols: step.cols, rows: 24 })
    else {
      const bytes = Buffer.from(step.text)
      timeline.output(log.end, at)
      log.append(bytes)
    }
  }
  return { log, timeline }
}

function cast(steps: readonly Step[], options: { capacityBytes?: number; maxBytes?: number } = {}) {
  const { log, timeline } = recorded(steps, options.capacityBytes)
  const about = { startedAt, title: null, command: 'bash', maxBytes: options.maxBytes ?? 1_000_000 }
  const { text, missedBytes } = writeAsciicast({ log, timeline, until: log.end, ...about })
  const [header, ...events] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { header, events: events as [number, string, string][], missedBytes }
}

const outputOf = (events: readonly [number, string, string][]) =>
  events.flatMap(([, kind, data]) => (kind === 'o' ? [data] : [])).join('')

test('output is written at the time it came, sizes where they changed', () => {
  const { header, events } = cast([
    { ms: 100, text: '$ ' },
    { ms: 1_500, text: 'ls\r\n' },
    { ms: 400, cols: 100 },
    { ms: 0, text: 'file\r\n' },
  ])
  expect(header).toMatchObject({ version: 2, width: 80, height: 24, timestamp: 1_700_000_000, command: 'bash' })
  assert.deepEqual(events, [
    [0.1, 'o', '$ '],
    [1.6, 'o', 'ls\r\n'],
    [2, 'r', '100x24'],
    [2, 'o', 'file\r\n'],
  ])
})

test('a character that comes in two pieces is whole', () => {
  const log = new OutputLog({ capacityBytes: 100 })
  const timeline = new Timeline(size)
  for (const [at, byte] of [...Buffer.from('😀')].entries()) {
    timeline.output(log.end, startedAt + at * 1_000)
    log.append(Uint8Array.of(byte))
  }
  const { text } = writeAsciicast({ log, timeline, until: 4, startedAt, title: 'x', command: 'y', maxBytes: 100 })
  expect(text).toContain('[3,"o","😀"]')
})

test.each<[string, object]>([
  ['the log has given up', { capacityBytes: 10 }],
  ['are too many', { maxBytes: 10 }],
])('bytes that %s are counted, and the size is the one that held then', (_why, options) => {
  const { header, events, missedBytes } = cast(
    [
      { ms: 0, text: 'first' },
      { ms: 100, cols: 132 },
      { ms: 100, text: '0123456789' },
    ],
    options,
  )
  assert.equal(missedBytes, 5)
  assert.equal(header.width, 132)
  assert.equal(outputOf(events), '0123456789')
})

test('a terminal that was resized thousands of times loses no output by it', () => {
  const round: Step[] = [{ ms: 20, text: 'x' }, ...Array.from({ length: 9 }, (_, at) => ({ ms: 20, cols: 80 + at }))]
  const steps = Array.from({ length: 300 }, () => round).flat()
  assert.equal(outputOf(cast(steps).events), 'x'.repeat(300))
})

test('whatever happens, a recording is whole, in order, and bounded', () => {
  const step = fc.oneof(
    fc.record({ ms: fc.nat({ max: 50 }), text: fc.string({ minLength: 1, maxLength: 5 }) }),
    fc.record({ ms: fc.nat({ max: 50 }), cols: fc.integer({ min: 1, max: 300 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 200 }), (some, times) => {
      const steps = Array.from({ length: times }, () => some).flat()
      const { events, header } = cast(steps)
      assert.equal(outputOf(events), steps.map((one) => ('text' in one ? one.text : '')).join(''))
      const seconds = events.map(([at]) => at)
      assert.deepEqual(
        seconds,
        seconds.toSorted((a, b) => a - b),
      )
      assert.ok(events.length <= 4_096)
      const last = steps.findLast((one) => 'cols' in one)
      const shown = events.findLast(([, kind]) => kind === 'r')?.[2] ?? `${header.width}x${header.height}`
      assert.equal(shown, last === undefined ? '80x24' : `${'cols' in last ? last.cols : 0}x24`)
    }),
    { numRuns: 100 },
  )
})

test('each moment holds what is shown of its output', () => {
  const { log, timeline } = recorded([
    { ms: 100, text: 'abc' },
    { ms: 1_000, text: 'de' },
  ])
  const about = { startedAt, title: null, command: 'bash', maxBytes: 1_000 }
  const shown = (since: number, until: number) => Buffer.from(`${since}-${until}`)
  const { text } = writeAsciicast({ log, timeline, until: log.end, ...about, shown })
  expect(text.trimEnd().split('\n').slice(1)).toEqual(['[0.1,"o","0-3"]', '[1.1,"o","3-5"]'])
})
