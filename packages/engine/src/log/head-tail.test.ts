import assert from 'node:assert/strict'
import { defined } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import type { RenderedLine } from '../screen/style-codes.ts'
import {
  collapseEqual,
  collapseSimilar,
  cutFirstRun,
  cutLastRun,
  findNotableLines,
  fitBytesMin,
  fitLines,
  formatFitted,
  notableCharactersMax,
} from './head-tail.ts'

/** Lines with the offsets they would have in output that holds nothing else. */
function linesOf(texts: readonly string[]): readonly RenderedLine[] {
  let offset = 0
  return texts.map((text) => {
    const line = { text, offset }
    offset += Buffer.byteLength(text) + 1
    return line
  })
}

const numbered = (count: number): readonly RenderedLine[] =>
  linesOf(Array.from({ length: count }, (_, index) => `line ${String(index).padStart(5, '0')}`))

test('what fits is whole', () => {
  const fitted = fitLines(numbered(3), { maxBytes: 1_000 })
  assert.deepEqual(fitted, { head: ['line 00000', 'line 00001', 'line 00002'], tail: [], omitted: null })
})

test('what does not fit keeps its head and its tail, and says what is left out', () => {
  const text = formatFitted(fitLines(numbered(1_000), { maxBytes: 10_000, maxLines: 4 }))
  assert.equal(
    text,
    [
      'line 00000',
      'line 00001',
      '[... 996 lines, 10,956 bytes omitted (offsets 22-10978) ...]',
      'line 00998',
      'line 00999',
    ].join('\n'),
  )
})

test('lines that look like errors are named with their offsets', () => {
  const texts = Array.from({ length: 200 }, (_, index) => (index % 50 === 25 ? `Error ${index}` : `line ${index}`))
  const text = formatFitted(fitLines(linesOf(texts), { maxBytes: 600 }))
  assert.match(
    text,
    /omitted \(offsets \d+-\d+\); lines that look like errors in it:\]\n\d+: Error 25\n\d+: Error 75\n/,
  )
  assert.match(text, /\n\[\.\.\.\]\n/)
  assert.ok(text.endsWith('line 199'))
})

test('a very long line is cut in its middle and says so', () => {
  const fitted = fitLines(linesOf([`a${'é'.repeat(5_000)}z`]), { maxBytes: 500 })
  assert.equal(fitted.omitted, null)
  assert.match(formatFitted(fitted), /^aé+ \[\.\.\. [\d,]+ bytes of this line omitted \.\.\.\] é+z$/)
})

test('nothing exceeds the budget, no character is cut, and every line is shown or counted', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\ufffd', '')),
    fc.constantFrom('error: x', 'x'.repeat(900), '漢'.repeat(300), ''),
  )
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: fitBytesMin, max: 3_000 }),
      fc.option(fc.integer({ min: 1, max: 40 })),
      (texts, maxBytes, maxLines) => {
        const fitted = fitLines(linesOf(texts), defined({ maxBytes, maxLines: maxLines ?? undefined }))
        const text = formatFitted(fitted)
        assert.ok(Buffer.byteLength(text) <= maxBytes)
        assert.ok(!text.includes('\ufffd'))
        const shown = fitted.head.length + fitted.tail.length
        assert.equal(shown + (fitted.omitted?.lines ?? 0), texts.length)
        assert.ok(shown <= (maxLines ?? texts.length))
        if (fitted.omitted !== null) assert.ok(fitted.omitted.from <= fitted.omitted.to && fitted.omitted.lines > 0)
      },
    ),
    { numRuns: 300 },
  )
})

const find = (source: string, limit = 8): unknown => findNotableLines(Buffer.from(source), limit)

for (const [name, source, want] of [
  ['nothing notable', 'fine\nalso fine\n', []],
  ['a line with its offset', 'ok\nError: no\nok', [{ text: 'Error: no', offset: 3 }]],
  ['escapes are gone', 'ok\r\n\x1b[1;31mFATAL\x1b[0m: é\r\n', [{ text: 'FATAL: é', offset: 4 }]],
  ['the word in a title only', '\x1b]2;error\x07fine\n', []],
  [
    'a line counts once',
    'error error\nwarning\n',
    [
      { text: 'error error', offset: 0 },
      { text: 'warning', offset: 12 },
    ],
  ],
  ['a state of a progress bar', '1%\rfailed\r2%\n', [{ text: 'failed', offset: 3 }]],
] as const) {
  test(name, () => assert.deepEqual(find(source), want))
}

test('the first ones are given, up to the limit', () => {
  assert.deepEqual(find('panic\n'.repeat(20), 2), [
    { text: 'panic', offset: 0 },
    { text: 'panic', offset: 6 },
  ])
})

test('of a very long line, the part with the word is shown', () => {
  const [line] = findNotableLines(Buffer.from(`${'é'.repeat(5_000)} exception ${'x'.repeat(5_000)}`), 8)
  assert.ok(line?.text.includes('exception'))
  assert.ok((line?.text.length ?? 0) <= notableCharactersMax)
  assert.ok(!line?.text.includes('\ufffd'))
})

test('any bytes are searched, and every line has its word', () => {
  const piece = fc.oneof(fc.constantFrom('error', '\n', '\x1b[31m', '\x1b]', 'é', '\r'), fc.string())
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const { text } of findNotableLines(Buffer.from(pieces.join('')), 5)) assert.match(text, /error|\w/i)
    }),
  )
})

test('eight megabytes are searched fast', () => {
  const source = Buffer.from('compiling module number 12345 of many modules\n'.repeat(180_000))
  const before = process.cpuUsage().user
  assert.deepEqual(findNotableLines(source, 8), [])
  assert.ok(process.cpuUsage().user - before < 500_000)
})

/** Lines with the offsets they would have. */
function lines(...texts: readonly string[]) {
  let offset = 0
  return texts.map((text) => {
    const line = { text, offset }
    offset += Buffer.byteLength(text) + 1
    return line
  })
}

const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, at) => text(at))
const textsOf = (collapsed: readonly { text: string }[]) => collapsed.map(({ text }) => text)

test.each<[string, readonly string[], readonly string[]]>([
  [
    'once, with their number',
    ['begin', ...many(1_000, () => 'y'), 'end'],
    ['begin', 'y', '[... the same line 999 more times ...]', 'end'],
  ],
  ['as they are when that is shorter', ['y', 'y', 'y', 'y', 'y'], ['y', 'y', 'y', 'y', 'y']],
  ['as they are when they are few', many(3, () => 'x'.repeat(80)), many(3, () => 'x'.repeat(80))],
  ['as they are when another is between them', ['a', 'b', 'a', 'b', 'a'], ['a', 'b', 'a', 'b', 'a']],
])('equal lines are shown %s', (_how, texts, want) => {
  assert.deepEqual(textsOf(collapseEqual(lines(...texts))), want)
})

test('of lines that differ only in their numbers the first and the last are shown, and where the others are', () => {
  const all = lines('begin', ...many(100, (at) => `step ${at + 100} of 100`), 'end')
  const collapsed = collapseSimilar(all)
  assert.deepEqual(textsOf(collapsed).slice(0, 2), ['begin', 'step 100 of 100'])
  assert.deepEqual(textsOf(collapsed).slice(-2), ['step 199 of 100', 'end'])
  const from = all[6]?.offset
  const to = all[98]?.offset
  assert.ok(textsOf(collapsed).includes(`[... 92 lines that differ only in their numbers (offsets ${from}-${to}) ...]`))
})

test('offsets still grow from line to line', () => {
  const collapsed = collapseSimilar(collapseEqual(lines(...many(50, () => 'same line'), ...many(50, (at) => `n${at}`))))
  const offsets = collapsed.map(({ offset }) => offset)
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  )
})

test('a run of similar lines beside a gap keeps its end that is away from the gap', () => {
  const run = many(40, (at) => `${at}`)
  assert.deepEqual(textsOf(cutLastRun(lines('begin', ...run))), ['begin', '0', '1', '2', '3', '4'])
  assert.deepEqual(textsOf(cutFirstRun(lines(...run, 'end'))), ['37', '38', '39', 'end'])
  assert.deepEqual(textsOf(cutLastRun(lines(...run, 'end'))), [...run, 'end'])
  assert.deepEqual(textsOf(cutFirstRun(lines('begin', ...run))), ['begin', ...run])
  assert.deepEqual(cutFirstRun([]), [])
})
