import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { countInvalidBytes, OutputLog, withBrokenEnd } from './output-log.ts'

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')

interface Range {
  readonly since?: number
  readonly until?: number
  readonly isEnded?: boolean
}

function countIn(log: OutputLog, { since = 0, until = log.end, isEnded = false }: Range = {}): Promise<number> {
  return countInvalidBytes(log, { since, until, isEnded })
}

function logOf(bytes: Uint8Array, capacityBytes = 1_000): OutputLog {
  const log = new OutputLog({ capacityBytes })
  log.append(bytes)
  return log
}

const wholeLogs: readonly (readonly [name: string, hex: string, count: number])[] = [
  ['ASCII', '61 62 0a', 0],
  ['characters of two, three and four bytes', 'c3a9 e282ac f09f9880', 0],
  ['a U+FFFD that the program printed', 'efbfbd', 0],
  ['the first and the last character of each length', 'c280 dfbf e0a080 efbfbf f0908080 f48fbfbf', 0],
  ['é in Latin-1', '63 61 66 e9 0a', 1],
  ['a byte that continues nothing', '61 80 62', 1],
  ['a character without its last byte', 'e282 61', 2],
  ['a character whose rest is another character', 'f09f98 c3a9', 3],
  ['a slash written too long', 'c0af', 2],
  ['a three-byte form that is too long', 'e09f80', 3],
  ['half of a surrogate pair', 'eda080', 3],
  ['a character beyond the last one', 'f4908080', 4],
  ['bytes that UTF-8 never has', 'f8 fe ff', 3],
  ['an eight-bit control', '9b 31 6d', 1],
  ['the beginning of a character at the end', '61 e282', 0],
  ['the same, whose second byte is wrong', '61 e261', 1],
  ['nothing', '', 0],
]

for (const [name, hex, count] of wholeLogs)
  test(`${name}: ${count} bytes are not UTF-8`, async () => {
    assert.equal(await countIn(logOf(bytesOf(hex))), count)
  })

test('the beginning of a character at the end of output that has ended is counted', async () => {
  const log = logOf(bytesOf('61 e282'))
  assert.equal(await countIn(log, { isEnded: true }), 2)
  assert.equal(await countIn(log, { isEnded: true, until: 2 }), 1)
})

test('a character that a range cuts is not counted on either side', async () => {
  const log = logOf(bytesOf('61 f09f9880 62'))
  for (let at = 0; at <= log.end; at += 1) {
    assert.equal(await countIn(log, { until: at }), 0, `until ${at}`)
    assert.equal(await countIn(log, { since: at }), 0, `since ${at}`)
  }
})

test('a character whose beginning is no longer kept is not counted', async () => {
  const log = logOf(bytesOf('61 f09f9880 ff'), 4)
  assert.equal(log.start, 2)
  assert.equal(await countIn(log), 1)
  assert.equal(await countIn(log, { since: 3 }), 1)
})

/** Random bytes, in which characters and their parts are frequent. */
const anyOutput = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => new Uint8Array(Buffer.from(text))),
      fc.constantFrom('efbfbd', 'e282', 'f09f', 'eda080', 'c0', '80').map(bytesOf),
    ),
    { maxLength: 12 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)))

/** A byte is valid where a strict decoder takes one to four bytes around it for exactly one character. */
function naiveCount(bytes: Uint8Array, begin: number, end: number): number {
  const valid = new Set<number>()
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let at = 0; at < bytes.length; at += 1)
    for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
      try {
        if ([...strict.decode(bytes.subarray(at, at + length))].length !== 1) continue
      } catch {
        continue
      }
      for (let part = at; part < at + length; part += 1) valid.add(part)
    }
  return Array.from({ length: end - begin }, (_, index) => begin + index).filter((at) => !valid.has(at)).length
}

test('the count is that of a strict decoder, in the whole and in any range', async () => {
  const range = fc.tuple(anyOutput, fc.nat({ max: 40 }), fc.nat({ max: 40 }))
  await fc.assert(
    fc.asyncProperty(range, async ([bytes, from, length]) => {
      const log = logOf(bytes)
      const since = Math.min(from, bytes.length)
      const until = Math.min(since + length, bytes.length)
      assert.equal(await countIn(log, { isEnded: true }), naiveCount(bytes, 0, bytes.length))
      assert.equal(await countIn(log, { since, until, isEnded: true }), naiveCount(bytes, since, until))
    }),
  )
})

test('the count and what a decoder keeps are all bytes', async () => {
  await fc.assert(
    fc.asyncProperty(anyOutput, async (bytes) => {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      fc.pre(!Buffer.from(bytes).includes(Buffer.from('efbfbd', 'hex')))
      const kept = Buffer.byteLength(text.replaceAll('\ufffd', ''))
      assert.equal(await countIn(logOf(bytes), { isEnded: true }), bytes.length - kept)
    }),
  )
})

test('the counts of adjacent ranges add up, however the output is divided', async () => {
  const divided = fc.tuple(anyOutput, fc.array(fc.nat({ max: 40 }), { maxLength: 5 }))
  await fc.assert(
    fc.asyncProperty(divided, async ([bytes, borders]) => {
      const log = logOf(bytes)
      const offsets = [0, ...borders.map((at) => Math.min(at, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      let sum = 0
      for (const [index, since] of offsets.entries())
        sum += await countIn(log, { since, until: offsets[index + 1] ?? since })
      assert.equal(sum, await countIn(log))
    }),
  )
})

test('a large range is counted in pieces without counting characters between them', async () => {
  const bytes = new Uint8Array(Buffer.from('\u20ac'.repeat(300_000)))
  bytes[450_000] = 0xff
  assert.equal(await countIn(logOf(bytes, bytes.length)), 3)
})

test('a character at the end of a range is replaced only where the log does not complete it', () => {
  const log = logOf(bytesOf('61 e282 62 e282ac e282'))
  const shown = (until: number, isEnded: boolean) => {
    const range = { since: 0, until, isEnded }
    return Buffer.from(withBrokenEnd(log, log.read(range).bytes, range)).toString('hex')
  }
  assert.equal(shown(3, false), '61efbfbd')
  assert.equal(shown(6, false), '61e28262e282')
  assert.equal(shown(log.end, false), '61e28262e282ace282')
  assert.equal(shown(log.end, true), '61e28262e282acefbfbd')
})
