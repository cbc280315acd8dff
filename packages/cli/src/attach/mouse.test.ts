import { describe, expect, test } from 'vitest'
import { encodeMouse, MouseReader, type MouseReport, ownModes, wheelAsArrows, wheelOf } from './mouse.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const read = (reader: MouseReader, text: string) =>
  reader.take(bytes(text)).map((part) => ('button' in part ? part : Buffer.from(part).toString('latin1')))

const click: MouseReport = { button: 0, row: 4, col: 9, isRelease: false }
const release: MouseReport = { ...click, isRelease: true }

describe('input of a terminal', () => {
  test('is split into keys and reports of the mouse, in order', () => {
    const input = 'a\x1b[A\x1b[<0;10;5M\x1b[<0;10;5mb\xff'
    expect(read(new MouseReader(), input)).toEqual(['a\x1b[A', click, release, 'b\xff'])
  })

  test('is the same in every division into reads after the mark of a report', () => {
    const input = 'x\x1b[<64;1;1My\x1b[<0;10;5m'
    const marks = [...input.matchAll(/\x1b\[</g)].flatMap(({ index }) => [index + 1, index + 2])
    for (let at = 0; at <= input.length; at++) {
      // The escape character and the bracket alone may be keys, and are passed on at once.
      if (marks.includes(at)) continue
      const reader = new MouseReader()
      const parts = [input.slice(0, at), input.slice(at)].flatMap((part) => read(reader, part))
      expect(parts).toEqual(['x', { ...click, button: 64, row: 0, col: 0 }, 'y', release])
    }
  })

  test.each(['\x1b', '\x1b[', '\x1b[<zz', '\x1b[<1;2', 'é'])('%j does not hold back the keys before it', (end) => {
    expect(read(new MouseReader(), `key${end}`)[0]).toMatch(/^key/)
  })

  test('an endless report is passed on', () => {
    const endless = `\x1b[<${'1'.repeat(100)}`
    expect(read(new MouseReader(), endless)).toEqual([endless])
  })
})

describe('the modes of the terminal of a person', () => {
  test.each<[string, readonly number[], boolean, readonly number[]]>([
    ['without a mouse in the program the wheel is reported', [1, 2004], true, [1, 2004, 1000, 1006]],
    ['the program decides what is reported, agentpty how', [1003, 1005, 2004], true, [2004, 1003, 1006]],
    ['pixels are left as they are', [1002, 1016], true, [1002, 1016]],
    ['a mouse that is off belongs to the terminal', [1003, 1006, 2004], false, [2004]],
  ])('%s', (_name, modes, hasMouse, expected) => {
    expect(ownModes(modes, hasMouse)).toEqual(expected)
  })
})

describe('a program gets a report in its own encoding', () => {
  test.each<[string, MouseReport, readonly number[], string]>([
    ['SGR', click, [1000, 1006], '\x1b[<0;10;5M'],
    ['SGR, released', release, [1000, 1006], '\x1b[<0;10;5m'],
    ['urxvt', click, [1000, 1015], '\x1b[32;10;5M'],
    ['urxvt, released with ctrl', { ...release, button: 16 }, [1000, 1015], '\x1b[51;10;5M'],
    ['X10', click, [1000], '\x1b[M \x2a\x25'],
    ['X10, released', release, [1000], '\x1b[M#\x2a\x25'],
    ['X10 at its last column', { ...click, col: 222 }, [1000], '\x1b[M \xff\x25'],
    ['X10 beyond it', { ...click, col: 223 }, [1000], ''],
    ['UTF-8 beyond it', { ...click, col: 223 }, [1000, 1005], '\x1b[M \xc4\x80\x25'],
    ['UTF-8 beyond its last column', { ...click, col: 2016 }, [1000, 1005], ''],
  ])('%s', (_name, report, modes, expected) => {
    expect(encodeMouse(report, modes)).toBe(expected)
  })
})

test('the wheel scrolls three rows, also with modifiers, and is three arrows of a full-screen program', () => {
  const at = (button: number): MouseReport => ({ ...click, button })
  expect([64, 65, 64 + 4, 65 + 16, 0, 35].map((button) => wheelOf(at(button)))).toEqual([-3, 3, -3, 3, null, null])
  expect([wheelAsArrows(-3, []), wheelAsArrows(3, [1])]).toEqual(['\x1b[A'.repeat(3), '\x1bOB'.repeat(3)])
})
