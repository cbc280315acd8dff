import { expect, test } from 'vitest'
import { exactAnswer } from './read-record.ts'

const fences = { open: 'BEGIN-RESPONSE-k7m2pq4x', close: 'END-RESPONSE-k7m2pq4x' }
const long = 'x'.repeat(300)

test.each<[string, string, string | null]>([
  ['between lines', 'So:\nBEGIN-RESPONSE-k7m2pq4x\n42\nEND-RESPONSE-k7m2pq4x\n', '42'],
  ['in one line', 'BEGIN-RESPONSE-k7m2pq4x 42 END-RESPONSE-k7m2pq4x', '42'],
  ['with lines of blanks around it', 'BEGIN-RESPONSE-k7m2pq4x\n\n42\n\nEND-RESPONSE-k7m2pq4x', '\n42\n'],
  [
    'with blanks at the ends of lines and in front of them',
    'BEGIN-RESPONSE-k7m2pq4x\n  a  \n\tb \nEND-RESPONSE-k7m2pq4x',
    '  a  \n\tb ',
  ],
  ['with a line that no screen has', `BEGIN-RESPONSE-k7m2pq4x\n${long}\nEND-RESPONSE-k7m2pq4x`, long],
  ['with fences in bold', '**BEGIN-RESPONSE-k7m2pq4x**\n42\n**END-RESPONSE-k7m2pq4x**', '42'],
  [
    'with fences as code, and the end of a line of another system',
    '`BEGIN-RESPONSE-k7m2pq4x`\r\n42\n`END-RESPONSE-k7m2pq4x`',
    '42',
  ],
  [
    'the last of two',
    'BEGIN-RESPONSE-k7m2pq4x\n1\nEND-RESPONSE-k7m2pq4x\nBEGIN-RESPONSE-k7m2pq4x\n2\nEND-RESPONSE-k7m2pq4x',
    '2',
  ],
  ['of nothing', 'BEGIN-RESPONSE-k7m2pq4x\nEND-RESPONSE-k7m2pq4x', ''],
  ['that has not ended', 'BEGIN-RESPONSE-k7m2pq4x\n42', null],
  ['that only repeats the request', 'between a line BEGIN-RESPONSE-k7m2pq4x and a line END-RESPONSE-k7m2pq4x', null],
  [
    'before a repetition of the request',
    'BEGIN-RESPONSE-k7m2pq4x\n42\nEND-RESPONSE-k7m2pq4x\nBEGIN-RESPONSE-k7m2pq4x and END-RESPONSE-k7m2pq4x',
    '42',
  ],
  ['of another task', 'BEGIN-RESPONSE-aaaaaaaa\n42\nEND-RESPONSE-aaaaaaaa', null],
  ['whose text goes on in the line of a fence', 'BEGIN-RESPONSE-k7m2pq4x one\ntwo END-RESPONSE-k7m2pq4x', ' one\ntwo '],
])('an answer %s', (_name, text, answer) => expect(exactAnswer(text, fences)).toBe(answer))
