import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembleLines, type EditorState, emptyEditor, type SubmittedLine } from './line-assembler.ts'

/** Whatever is gathered in one write is the same in many. */
function pressedOneByOne(input: string, editor: EditorState): { submitted: SubmittedLine[]; editor: EditorState } {
  const submitted: SubmittedLine[] = []
  const history: string[] = []
  let now = editor
  for (const character of input) {
    const one = assembleLines(character, now, history)
    submitted.push(...one.submitted)
    history.push(...one.submitted.map(({ text }) => text))
    now = one.editor
  }
  return { submitted, editor: now }
}

test('a line in one write is what its keys make, one by one, whatever stands there already', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '\u00e9', '\u2028', '\t', '\x7f', '\x01', '\x15', '\r'),
  })
  fc.assert(
    fc.property(text, fc.constantFrom('', '', 'ls \x01', 'ab\x17'), (line, before) => {
      const { editor } = assembleLines(before, { ...emptyEditor, killed: 'kept' }, [])
      expect(assembleLines(`${line}\r`, editor, [])).toEqual(pressedOneByOne(`${line}\r`, editor))
    }),
    { numRuns: 2_000 },
  )
})
