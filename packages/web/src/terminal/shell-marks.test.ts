import { expect, test } from 'vitest'
import { ShellMarks } from './shell-marks.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const output = 'a\x1b]133;A\x07$ \x1b]133;C\x07wörld\r\n\x1b]133;D;3\x1b\\\x1b]633;C;x\x07'
const all = [
  { letter: 'C', offset: 11, end: 19 },
  { letter: 'D', offset: 27, end: 38 },
  { letter: 'C', offset: 38, end: 48 },
]

test('finds begin and end with the offsets of their bytes', () => {
  expect(new ShellMarks().take(bytes(output), 0)).toEqual(all)
})

test('the marks are the same for any division of the output', () => {
  const whole = bytes(output)
  for (let size = 1; size < whole.length; size++) {
    const marks = new ShellMarks()
    const found = []
    for (let at = 0; at < whole.length; at += size) found.push(...marks.take(whole.subarray(at, at + size), at))
    expect(found).toEqual(all)
  }
})

test('marks have no offsets if the bytes differ from the log', () => {
  expect(new ShellMarks().take(bytes('\x1b]133;C\x07'), null)).toEqual([{ letter: 'C', offset: null, end: null }])
})

test('an unterminated sequence is dropped', () => {
  const marks = new ShellMarks()
  marks.take(bytes(`\x1b]133;C${'x'.repeat(20_000)}`), 0)
  expect(marks.take(bytes('\x07'), 20_007)).toEqual([])
})
