/** The mark scanner, with its parsing of OSC and CSI. */

import assert from 'node:assert/strict'
import { type Mark, MarkScanner } from '@agentpty/engine/testing'
import { markBytesMax } from '@agentpty/protocol'
import { cutsOf, type Target } from '../target.ts'

const base = 1_000
const esc = 0x1b
const question = Buffer.from('\x1b\\\x1b[6n')

export const marks: Target = {
  name: 'marks',
  covers: ['engine/src/marks/', 'protocol/src/escapes/'],
  words: [
    ...[
      '\x1b',
      '\x1b]',
      '\x1b[',
      '\x1b\\',
      '\x07',
      '\x18',
      '\x1a',
      ';',
      '?',
      '=',
      ':',
      '\x1bP',
      '\x1bc',
      '$p',
      'h',
      'l',
    ],
    ...['133;A', '133;B', '133;C', '133;D;', '133;C;cmdline_url=a%20b', '633;E;', '633;P;Cwd=', '\\x3b', '\\\\'],
    ...['7;file://h/', '7;kitty-shell-cwd://h/', '9;4;1;', '9;hello', '99;i=1:p=body:e=1;aGk=', '777;notify;a;b'],
    ...['0;', '2;', '10;?', '11;?', '7501;?', '7501;state=', '?2004', '?1049', '?25', '6n', '0c', '>q', '?u', '%C3%A9'],
  ],
  bytesMax: 4_096,
  check(input) {
    const { bytes, pieces } = cutsOf(input)
    const whole = new MarkScanner().scan(bytes, base)
    const cut = new MarkScanner()
    let at = base
    const found: Mark[] = []
    for (const piece of pieces) {
      found.push(...cut.scan(piece, at))
      at += piece.length
    }
    assert.deepEqual(found, whole, 'the same marks however the bytes are cut')
    let last = base
    for (const mark of whole) {
      checkMark(mark, bytes)
      assert.ok(mark.end >= last, 'marks come in the order in which they end')
      last = mark.end
    }
    const [after] = cut.scan(question, at).slice(-1)
    assert.equal(after?.kind, 'query', 'a string terminator brings it back to its senses')
  },
}

/** A mark is made of its own bytes, and of no others. */
function checkMark(mark: Mark, bytes: Uint8Array): void {
  const own = bytes.subarray(mark.offset - base, mark.end - base)
  assert.ok(mark.end > mark.offset && own.length === mark.end - mark.offset, 'a mark has a range')
  assert.equal(own[0], esc, 'a mark begins at its ESC')
  const next = own.indexOf(esc, 1)
  assert.ok(next < 0 || next === own.length - 2, 'the next ESC is its end, or begins anew')
  const again = new MarkScanner().scan(own, mark.offset)
  assert.ok(
    again.some((each) => JSON.stringify(each) === JSON.stringify(mark)),
    `${JSON.stringify(mark)} follows from its own bytes`,
  )
  for (const text of Object.values(mark)) {
    assert.ok(typeof text !== 'string' || text.length <= markBytesMax, 'a text is bounded')
  }
}
