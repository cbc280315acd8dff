import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assembleLines, type EditorState, emptyEditor, type LineEvent } from './line-assembler.ts'

/** Whatever is gathered in one write is the same in many. */
function pressedOneByOne(input: string, before: EditorState): { events: LineEvent[]; editor: EditorState } {
  const events: LineEvent[] = []
  let editor = before
  let at = 0
  for (const character of input) {
    const one = assembleLines(character, editor)
    events.push(...one.events.map((event) => ({ ...event, from: event.from + at, to: event.to + at })))
    editor = one.editor
    at += character.length
  }
  return { events, editor }
}

test('a line in one write equals its keys one by one, whatever the line already contains', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '\u00e9', '\u2028', '\t', '\x7f', '\x01', '\x03', '\x15', '\r'),
  })
  fc.assert(
    fc.property(text, fc.constantFrom('', '', 'ls \x01', 'ab\x17'), (line, before) => {
      const { editor } = assembleLines(before, emptyEditor)
      expect(assembleLines(`${line}\r`, editor)).toEqual(pressedOneByOne(`${line}\r`, editor))
    }),
    { numRuns: 2_000 },
  )
})

describe('a line is known', () => {
  const rows: readonly (readonly [why: string, keys: string, text: string])[] = [
    ['as it was typed', 'ls -l\r', 'ls -l'],
    ['without what Backspace has taken', 'lx\x7fs\r', 'ls'],
    ['from Ctrl+C on', 'rm \x1b[A\x03ls\r', 'ls'],
    ['with every character of a paste', '\x1b[200~a\tb\x1b[201~\r', 'a\tb'],
    ['with the lines of a paste', '\x1b[200~a\nb\x1b[201~\r', 'a\nb'],
  ]
  test.each(rows)('%s', (_why, keys, text) => {
    expect(assembleLines(keys, emptyEditor).events.at(-1)).toMatchObject({ kind: 'entered', text, isUncertain: false })
  })
})

test.each([
  ['Backspace over a character that shells count otherwise', '\u{1f600}\x7f'],
  ['arrow up', '\x1b[A'],
  ['the key that recalls the next line', '\x0e'],
  ['a key that kills, and one that puts back', 'a\x15\x19'],
  ['completion', 'a\t'],
  ['a search', '\x12a'],
  ['Escape', 'a\x1bx'],
  ['a control character in a paste', '\x1b[200~a\x15b\x1b[201~'],
])('a line is not known after %s', (_key, keys) => {
  expect(assembleLines(`${keys}\r`, emptyEditor).events.at(-1)).toMatchObject({ kind: 'entered', isUncertain: true })
})

test.each([
  ['ctrl+o', 'ls\x0f', 'acted'],
  ['completion', 'ls $(a)\t', 'acted'],
  ['alt+a', 'ls\x1ba', 'acted'],
  ['ctrl+d where nothing stands', '\x04', 'ended'],
])('%s may run something', (_key, keys, kind) => {
  expect(assembleLines(keys, emptyEditor).events).toMatchObject([{ kind }])
})

test.each(['\x01', '\x1b[D', '\x1bOC', '\x1b[1;5C', '\x1bd', '\x15', '\x1b[3~'])('%j runs nothing', (key) => {
  expect(assembleLines(`ls${key}`, emptyEditor).events).toEqual([])
})
