/** Builds an input from others: a few small changes, with words of well-formed input. */

import type { Random } from '../harness/random.ts'

export interface MutateOptions {
  readonly random: Random
  readonly words: readonly string[]
  readonly bytesMax: number
  /** The inputs to take pieces from. */
  readonly other: Uint8Array
}

type Change = (input: Buffer, options: MutateOptions) => Buffer

export function mutate(input: Uint8Array, options: MutateOptions): Uint8Array {
  const { random, bytesMax } = options
  let changed = Buffer.from(input)
  for (let count = 1 + random.below(5); count > 0; count--)
    changed = Buffer.from(random.pick(changes)(changed, options))
  return changed.subarray(0, bytesMax)
}

const changes: readonly Change[] = [
  (input, { random }) => reoffsetIn(input, offsetIn(input, random), 1, Buffer.from([random.below(256)])),
  (input, { random }) => reoffsetIn(input, offsetIn(input, random), 0, Buffer.from([random.below(256)])),
  (input, { random }) => reoffsetIn(input, offsetIn(input, random), 1 + random.below(16), Buffer.alloc(0)),
  insertWord,
  insertWord,
  insertWord,
  (input, { random, words }) => reoffsetIn(input, offsetIn(input, random), 1 + random.below(4), wordOf(random, words)),
  (input, { random }) => {
    const at = offsetIn(input, random)
    const piece = input.subarray(at, at + 1 + random.below(24))
    return reoffsetIn(input, offsetIn(input, random), 0, Buffer.concat(Array(1 + random.below(4)).fill(piece)))
  },
  (input, { random, other }) => {
    const at = random.below(other.length + 1)
    return reoffsetIn(input, offsetIn(input, random), 0, Buffer.from(other.subarray(at, at + 1 + random.below(64))))
  },
  (input, { random, other }) =>
    Buffer.concat([input.subarray(0, offsetIn(input, random)), other.subarray(random.below(other.length + 1))]),
  (input, { random }) => reoffsetIn(input, offsetIn(input, random), 0, Buffer.from(String(numbers(random)))),
  (input, { random }) =>
    reoffsetIn(input, offsetIn(input, random), 0, Buffer.alloc(random.below(300), random.below(256))),
]

function insertWord(input: Buffer, { random, words }: MutateOptions): Buffer {
  return reoffsetIn(input, offsetIn(input, random), 0, wordOf(random, words))
}

function reoffsetIn(input: Buffer, at: number, length: number, by: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), by, input.subarray(at + length)])
}

function offsetIn(input: Buffer, random: Random): number {
  return random.below(input.length + 1)
}

function wordOf(random: Random, words: readonly string[]): Buffer {
  return Buffer.from(random.pick(words), 'latin1')
}

/** Values at which code tends to break. */
function numbers(random: Random): number {
  return random.pick([0, 1, -1, 7, 100, 101, 255, 256, 65_536, 2_147_483_648, 999_999_999, Number.MAX_SAFE_INTEGER])
}
