import assert from 'node:assert/strict'
import { columnsMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { cursorLine } from './cursor-line.ts'

function lineAfter(output: string) {
  const log = new OutputLog({ capacityBytes: 10_000 })
  log.append(Buffer.from(output))
  return cursorLine(log)
}

test.each<[string, string, string]>([
  ['the last line is the text left of the cursor', 'one\r\ntwo$ ', 'two$ '],
  ['what was typed over is what was typed last', 'abc\rX', 'X'],
  ['colours and titles are no text', '\x1b]0;title\x07\x1b[1m> \x1b[0m', '> '],
  ['what sets up keys and pastes moves nothing', '\x1b[?2004h\x1b[?1h\x1b=$ \x1b[?25h', '$ '],
  ['what was erased up to the cursor is gone', 'abcdef\x1b[2D\x1b[1K', '    '],
])('%s', (_name, output, before) => {
  expect(lineAfter(output)).toMatchObject({ before, drawn: false })
})

test.each(['\x1b[999999999C', '\x1b[999999999G'])(
  'a cursor that is sent far away by %j stays where a screen ends',
  (move) => {
    const { before } = lineAfter(`${move}x`)
    assert.equal(before.trim(), 'x')
    assert.ok(before.length <= columnsMax + 1)
  },
)
