/** Messages as lines: the same for any division of the stream, and never more buffered than one message may have. */

import assert from 'node:assert/strict'
import { messageBytesMax } from '@agentpty/protocol'
import {
  isObject,
  LineSplitter,
  parseClientHello,
  parseDaemonHello,
  parseObject,
  writeHello,
} from '@agentpty/protocol/wire'
import { cutsOf, type Target } from '../target.ts'

const filler = Buffer.alloc(messageBytesMax / 4, 'x')

export const jsonLines: Target = {
  name: 'json-lines',
  covers: ['protocol/src/wire/line-wire.ts', 'protocol/src/wire/handshake.ts'],
  words: [
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    '{',
    '}',
    '[]',
    '"',
    ':',
    ',',
    'null',
    '{}',
    '{"a":1}',
    '\\u0000',
    '\xc3\xa9',
    '\xf0\x9f\x91\x8d',
    '{"agentpty":1,"face":"rpc","client":"c","cwd":"/","env":{"A":"b","C":1}}',
    '"face":"mcp"',
    '"env":{}',
    '"__proto__"',
    '{"agentpty":1,"version":"1","build":"b","pid":3}',
    '"pid":',
    '"agentpty":1',
  ],
  bytesMax: 2_000,
  check(input) {
    const { bytes, pieces } = cutsOf(input)
    const text = Buffer.from(bytes)
    const end = text.lastIndexOf(0x0a) + 1
    const want = splitPlainly(text.subarray(0, end))
    const splitter = new LineSplitter()
    assert.deepEqual(
      pieces.flatMap((piece) => splitter.push(Buffer.from(piece))),
      want,
      'the same lines for any division',
    )
    // Costly, so only for short inputs that select it.
    if (input[0] === 0xfe && input.length < 16) checkBound(splitter, text.length - end)
    else assert.deepEqual(splitter.rest(), text.subarray(end), 'the rest is what follows the last line')
    assert.equal(splitter.rest().length, 0, 'the rest is given once')
    for (const line of want) checkLine(line)
  },
}

function splitPlainly(text: Buffer): readonly string[] {
  const lines: string[] = []
  for (let at = 0, end = text.indexOf(0x0a); end >= 0; at = end + 1, end = text.indexOf(0x0a, at)) {
    lines.push(text.toString('utf8', at, end))
  }
  return lines.filter((line) => line.trim() !== '')
}

/** An endless line is buffered up to the longest message, and not a byte more. */
function checkBound(splitter: LineSplitter, buffered: number): void {
  for (let count = 0; count < 3; count++) splitter.push(filler)
  splitter.push(filler.subarray(buffered))
  assert.throws(() => splitter.push(Buffer.from('x')), { code: 'message_too_large' })
  splitter.rest()
}

function checkLine(line: string): void {
  const object = parseObject(line)
  assert.ok(object === null || isObject(object))
  if (object !== null) assert.deepEqual(parseObject(JSON.stringify(object)), object)
  const client = parseClientHello(line)
  if (client !== null) {
    assert.ok(Object.values(client.env).every((value) => typeof value === 'string'))
    assert.deepEqual(parseClientHello(writeHello(client).trimEnd()), client)
  }
  const daemon = parseDaemonHello(line)
  if (daemon !== null) assert.deepEqual(parseDaemonHello(writeHello(daemon).trimEnd()), daemon)
}
