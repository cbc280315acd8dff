import { expect, test } from 'vitest'
import { durationText, fillTemplates, newLines } from './text.ts'

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['nothing new', ['a', 'b'], ['a', 'b'], []],
  ['scrolled on', ['a', 'b', 'c'], ['b', 'c', 'd'], ['d']],
  ['the last line went on', ['a', '$'], ['a', '$ ls', 'b', '$'], ['$ ls', 'b', '$']],
  ['nothing in common', ['a'], ['x', 'y'], ['x', 'y']],
  ['the first reading', [], ['x'], ['x']],
])('new lines: %s', (_name, earlier, later, want) => {
  expect(newLines(earlier, later)).toEqual(want)
})

test('templates of known slots are filled in one pass', () => {
  const outputs = new Map([
    ['slot_1', 'one {{slot_2.output}}'],
    ['v1.2', 'two'],
  ])
  const task = '{{slot_1.output}} {{ slot_1.output }} {{slot_3.output}} {{v1.2.output}}'
  expect(fillTemplates(task, (name) => outputs.get(name))).toBe(
    'one {{slot_2.output}} one {{slot_2.output}} {{slot_3.output}} two',
  )
})

test.each<[number, string]>([
  [300, '5m0s'],
  [5, '5s'],
  [90, '1m30s'],
  [3_600, '1h0m0s'],
])('%i seconds are written %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})
