/** The output of simulated programs. */

import type { Random } from '../harness/random.ts'
import { stampAt } from './stamps.ts'

/**
 * `plain`: lines, marks and colours, so that a text can be checked to the byte. `asking`: the same, with queries to the
 * terminal. `wild`: anything, well formed or not.
 */
export type Program = 'plain' | 'asking' | 'wild'

export interface Printed {
  readonly bytes: Buffer
  /** The queries that the terminal answers. */
  readonly questions: number
}

type Piece = (random: Random, offset: number) => string

const line: Piece = (random, offset) => `${stampAt(offset)} ${'word '.repeat(random.below(8))}\r\n`
const burst: Piece = (random, offset) => {
  let text = ''
  for (let count = 20 + random.below(150); count > 0; count--) text += line(random, offset + Buffer.byteLength(text))
  return text
}

const plain: readonly Piece[] = [
  line,
  line,
  line,
  burst,
  (random) => `${tick(random)} `,
  (random) => random.pick(['é ', '漢字 ', '👍🏽 ', '\u201cquoted\u201d ', '─│ ']),
  () => '\x1b]133;A\x07$ \x1b]133;B\x07',
  () => '\x1b]133;C\x07',
  (random) => `\x1b]133;D;${random.below(256)}\x07\x1b]133;A\x07$ \x1b]133;B\x07`,
  (random) => `\x1b]2;title ${random.below(9)}\x07`,
  (random) => `\x1b]7;file://host/folder${random.below(9)}\x1b\\`,
  (random) => `\x1b[${random.pick(['1', '31', '0'])}m`,
]

const questions: readonly string[] = ['\x1b[6n', '\x1b[5n', '\x1b]7501;?\x07', '\x1b[c', '\x1b]11;?\x07']

const wild: readonly Piece[] = [
  (random) => random.pick(questions),
  (random) => `\x1b[${1 + random.below(20)};${1 + random.below(60)}H`,
  (random, offset) => `\x1b[${1 + random.below(20)}d${stampAt(offset + 5)}`,
  (random) =>
    random.pick(['\x1b[2J', '\x1b[K', '\x1b[3J', '\x1b[5S', '\x1b[2A', '\b\b', '\r', '\x1b[3@', '\x1b[2L', '\x1bM']),
  (random) => `\x1b[?${random.pick([1, 25, 1049, 2004])}${random.pick(['h', 'l'])}`,
  (random) => `\x1b]7501;state=${random.pick(['idle', 'working', 'blocked', 'done'])}\x07`,
  (random) =>
    random.pick(['\x1b', '\x1b[', '\x1b]0;', '\x1b]133;D', '\x1bP', '\x1b[?', '\x18', '\x1bc', '\x07', '\x1b\\']),
  (random) => `\x1b]9;4;${random.below(5)};${random.below(101)}\x07`,
  (random) => 'long'.repeat(random.below(400)),
]

export function printOf(program: Program, random: Random, offset: number): Printed {
  if (program === 'asking' && random.chance(0.15)) return { bytes: Buffer.from(random.pick(questions)), questions: 1 }
  if (program === 'wild' && random.chance(0.1)) {
    return { bytes: Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256))), questions: 0 }
  }
  const pieces = program === 'wild' ? [...plain, ...wild] : plain
  return { bytes: Buffer.from(random.pick(pieces)(random, offset)), questions: 0 }
}

/** A word to wait for. */
export function tick(random: Random): string {
  return `tick-${random.below(3)}`
}
