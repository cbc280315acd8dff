import assert from 'node:assert/strict'
import { markBytesMax } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { MarkScanner } from './mark-scanner.ts'
import type { Mark, MarkBody } from './parse-osc.ts'

const bytes = (source: string): Uint8Array => Buffer.from(source)
const scan = (source: string, offset = 0): readonly Mark[] => new MarkScanner().scan(bytes(source), offset)
const bodies = (source: string): readonly MarkBody[] => scan(source).map(({ offset, end, ...body }) => body)

const query = (name: string, isPrivate = false, parameter: number | null = null): unknown => ({
  kind: 'query',
  name,
  private: isPrivate,
  parameter,
})

for (const [name, source, want] of [
  ['a prompt start', '\x1b]133;A\x07', [{ kind: 'prompt-start' }]],
  ['a prompt start with options', '\x1b]133;A;cl=m;k=v\x1b\\', [{ kind: 'prompt-start' }]],
  ['a prompt end', '\x1b]133;B\x07', [{ kind: 'prompt-end' }]],
  ['a command start', '\x1b]133;C\x07', [{ kind: 'command-start' }]],
  [
    'a command start with the line',
    '\x1b]133;C;cmdline_url=ls%20-l\x07',
    [{ kind: 'command-line', line: 'ls -l', nonce: null }, { kind: 'command-start' }],
  ],
  ['a command end', '\x1b]133;D;130\x07', [{ kind: 'command-end', exitCode: 130 }]],
  ['a command end with options', '\x1b]133;D;1;aid=7\x07', [{ kind: 'command-end', exitCode: 1 }]],
  ['a command end without a code', '\x1b]133;D\x07', [{ kind: 'command-end', exitCode: null }]],
  ['a command end with an option only', '\x1b]133;D;aid=7\x07', [{ kind: 'command-end', exitCode: null }]],
  [
    'VS Code’s letters',
    '\x1b]633;A\x07\x1b]633;D;2\x07',
    [{ kind: 'prompt-start' }, { kind: 'command-end', exitCode: 2 }],
  ],
  [
    'VS Code’s command line, decoded',
    '\x1b]633;E;echo a\\x3b b\\\\n\\x0aé;n0nce\x07',
    [{ kind: 'command-line', line: 'echo a; b\\n\né', nonce: 'n0nce' }],
  ],
  ['a command line without a nonce', '\x1b]633;E;ls\x07', [{ kind: 'command-line', line: 'ls', nonce: null }]],
  ['VS Code’s directory', '\x1b]633;P;Cwd=/a\\x3bb=c\x07', [{ kind: 'cwd', path: '/a;b=c' }]],
  ['another property', '\x1b]633;P;IsWindows=False\x07', []],
  ['a directory as URL', '\x1b]7;file://host/a%20b/%C3%A9\x1b\\', [{ kind: 'cwd', path: '/a b/é' }]],
  ['a directory that was not encoded', '\x1b]7;file:///50%/x\x07', [{ kind: 'cwd', path: '/50%/x' }]],
  [
    'titles',
    '\x1b]0;a;b\x07\x1b]2;c\x1b\\',
    [
      { kind: 'title', title: 'a;b' },
      { kind: 'title', title: 'c' },
    ],
  ],
  ['an icon name', '\x1b]1;a\x07', []],
  [
    'progress',
    '\x1b]9;4;1;50\x07\x1b]9;4;0\x07',
    [
      { kind: 'progress', state: 1, value: 50 },
      { kind: 'progress', state: 0, value: null },
    ],
  ],
  ['a notification', '\x1b]9;done\x07', [{ kind: 'notification', text: 'done' }]],
  ['ConEmu’s other commands', '\x1b]9;1;100\x07', []],
  ['rxvt’s notification', '\x1b]777;notify;build;it failed\x07', [{ kind: 'notification', text: 'build: it failed' }]],
  ['kitty’s notification', '\x1b]99;i=1:d=0;hi\x1b\\', [{ kind: 'notification', text: 'hi' }]],
  ['kitty’s notification in base64', '\x1b]99;e=1;aGk=\x1b\\', [{ kind: 'notification', text: 'hi' }]],
  ['kitty’s question about notifications', '\x1b]99;i=1:p=?;\x1b\\', []],
  ['a program’s status', '\x1b]7501;a;b=c\x07', [{ kind: 'program-status', raw: 'a;b=c' }]],
  [
    'one mark for each mode of a list',
    '\x1b[?1049;2004h',
    [
      { kind: 'alternate-screen', on: true },
      { kind: 'bracketed-paste', on: true },
    ],
  ],
  [
    'modes off',
    '\x1b[?1l\x1b[?47l\x1b[?1047l',
    [
      { kind: 'application-cursor', on: false },
      { kind: 'alternate-screen', on: false },
      { kind: 'alternate-screen', on: false },
    ],
  ],
  ['modes that are not private', '\x1b[1h\x1b[47h', []],
  [
    'attributes',
    '\x1b[c\x1b[0c\x1b[>c\x1b[>0c',
    [
      query('primary-attributes'),
      query('primary-attributes'),
      query('secondary-attributes'),
      query('secondary-attributes'),
    ],
  ],
  ['an answer to attributes, echoed', '\x1b[?1;2c', []],
  [
    'positions and status',
    '\x1b[6n\x1b[?6n\x1b[5n',
    [query('cursor-position'), query('cursor-position', true), query('device-status')],
  ],
  ['modes asked for', '\x1b[?2026$p\x1b[4$p', [query('mode', true, 2026), query('mode', false, 4)]],
  ['a soft reset', '\x1b[!p', []],
  ['a setting', '\x1bP$qr\x1b\\\x1bP$q q\x1b\\', [query('setting'), query('setting')]],
  ['a setting without an end', '\x1bP$qr\x1b[5n', [query('device-status')]],
  ['a setting that is cut short', '\x1bP$qr\x18', []],
  ['another DCS', '\x1bPq#0$q~~\x1b\\\x1bP\x1b\\\x1bP$\x1b\\', []],
  ['the size in characters', '\x1b[18t\x1b[14t', [query('size')]],
  ['version and keyboard', '\x1b[>q\x1b[>0q\x1b[?u', [query('version'), query('version'), query('kitty-flags', true)]],
  ['colours asked for', '\x1b]10;?\x07\x1b]11;?\x1b\\', [query('foreground-color'), query('background-color')]],
  ['two colours in one question', '\x1b]10;?;?\x07', [query('foreground-color'), query('background-color')]],
  ['colours set', '\x1b]11;#000000\x07', []],
  ['a reset', '\x1bc', [{ kind: 'reset' }]],
  ['a character set is no reset', '\x1b(c', []],
  ['an ESC in an OSC begins anew', '\x1b]0;a\x1b[?2004h', [{ kind: 'bracketed-paste', on: true }]],
  ['an ESC in a CSI begins anew', '\x1b[?20\x1bc', [{ kind: 'reset' }]],
  ['ESC ESC ] is an OSC', '\x1b\x1b]2;a\x07', [{ kind: 'title', title: 'a' }]],
  ['CAN and SUB abort', '\x1b]0;a\x18b\x07\x1b[?2004\x1ah\x1b\x18c', []],
  ['line breaks in a sequence do not end it', '\x1b[?20\r\n04h', [{ kind: 'bracketed-paste', on: true }]],
  ['8-bit controls are not controls', '\x9d0;a\x9c\u{9b}?2004h', []],
  ['a title with characters that hold control bytes', '\x1b]2;Ü\u{9b}›\x07', [{ kind: 'title', title: 'Ü\u{9b}›' }]],
  ['a mark inside a DCS that never ended', '\x1bPq#0\x1b]2;a\x07', [{ kind: 'title', title: 'a' }]],
] as const) {
  test(name, () => assert.deepEqual(bodies(source), want))
}

test('offset is that of the ESC and end is after the sequence', () => {
  assert.deepEqual(
    scan('ab\x1b]133;A\x07$ \x1b]133;B\x1b\\', 1_000).map(({ offset, end }) => [offset, end]),
    [
      [1_002, 1_010],
      [1_012, 1_021],
    ],
  )
})

test('an ESC that restarts gives the offset of the new sequence', () => {
  assert.deepEqual(scan('\x1b]0;a\x1b]2;b\x07'), [{ kind: 'title', title: 'b', offset: 5, end: 11 }])
})

test('an OSC longer than the limit is dropped, and the next one is read', () => {
  assert.deepEqual(bodies(`\x1b]2;${'x'.repeat(markBytesMax)}\x07\x1b]2;a\x07`), [{ kind: 'title', title: 'a' }])
})

test('after a gap scanning begins anew', () => {
  const scanner = new MarkScanner()
  scanner.scan(bytes('\x1b]2;a'), 0)
  assert.deepEqual(scanner.scan(bytes('b\x07'), 100), [])
})

test('ten megabytes of plain text take a few milliseconds', () => {
  const plain = new Uint8Array(10 * 1024 * 1024).fill(0x61)
  const before = process.cpuUsage().user
  assert.deepEqual(new MarkScanner().scan(plain, 0), [])
  assert.ok(process.cpuUsage().user - before < 250_000)
})

const piece = fc.oneof(
  fc.constantFrom(
    '\x1b]133;A\x07',
    '\x1b]633;E;a\\x3bb;n\x1b\\',
    '\x1b[?1049;2004h',
    '\x1b[6n',
    '\x1bc',
    '\x1b]7;file://h/%41\x07',
  ),
  fc.constantFrom(
    '\x1b',
    '\x1b]',
    '\x1b[',
    '\\',
    '\x07',
    '\x18',
    ';',
    '?',
    'h',
    'c',
    '133',
    '\x1bP',
    'é',
    '👍',
    '\x9b',
    '\n',
  ),
  fc.string({ maxLength: 8 }),
)

test('any chunking gives the same marks', () => {
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(6)), (pieces, lengths) => {
      const whole = bytes(pieces.join(''))
      const scanner = new MarkScanner()
      const marks: Mark[] = []
      let at = 0
      for (const length of [...lengths, whole.length]) {
        marks.push(...scanner.scan(whole.subarray(at, at + length), 7 + Math.min(at, whole.length)))
        at = Math.min(at + length, whole.length)
      }
      assert.deepEqual(marks, new MarkScanner().scan(whole, 7))
    }),
    { numRuns: 500 },
  )
})

test('any bytes are scanned without an error, and the offset of a mark is that of its ESC', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const source = Buffer.concat([noise, bytes('\x1b\\\x1b[6n')])
      for (const mark of new MarkScanner().scan(source, 0)) assert.equal(source[mark.offset], 0x1b)
      assert.equal(new MarkScanner().scan(source, 0).at(-1)?.kind, 'query')
    }),
  )
})
