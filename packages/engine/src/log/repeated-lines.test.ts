import assert from 'node:assert/strict'
import { test } from 'vitest'
import { collapseEqual, collapseSimilar, cutFirstRun, cutLastRun } from './repeated-lines.ts'

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
