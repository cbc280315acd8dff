import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Sequence, type SequenceKind, SequenceScanner } from './sequence-scanner.ts'

const payloadBytesMax = 16
const offset = 7

function scan(pieces: readonly Uint8Array[]) {
  const found: (Sequence & { readonly payload: string })[] = []
  const scanner = new SequenceScanner(payloadBytesMax, (sequence) =>
    found.push({ ...sequence, payload: scanner.payload }),
  )
  let at = offset
  for (const piece of pieces) {
    scanner.scan(piece, at)
    at += piece.length
  }
  return found
}

const found = (text: string) =>
  scan([Buffer.from(text)]).map(({ kind, begin, end, payload, final }) => {
    const source = Buffer.from(text).toString('utf8', begin - offset, end - offset)
    return [kind, payload, String.fromCharCode(final), source]
  })

test.each<[string, string, readonly [SequenceKind, string, string, string]]>([
  ['a CSI', 'a\x1b[1;31mb', ['csi', '1;31', 'm', '\x1b[1;31m']],
  ['a CSI with intermediates', '\x1b[?5$p', ['csi', '?5$', 'p', '\x1b[?5$p']],
  ['a CSI with controls in it', '\x1b[1\r2\x7fm', ['csi', '12', 'm', '\x1b[1\r2\x7fm']],
  ['an OSC that ends with BEL', '\x1b]0;é\x07', ['osc', '0;é', '\x07', '\x1b]0;é\x07']],
  ['an OSC that ends with ST', '\x1b]0;a\nb\x1b\\', ['osc', '0;ab', '\\', '\x1b]0;a\nb\x1b\\']],
  ['a DCS', '\x1bP$qm\x1b\\', ['dcs', '$qm', '\\', '\x1bP$qm\x1b\\']],
  [
    'an APC of any length',
    `\x1b_${'a'.repeat(50)}\x07\x1b\\`,
    ['string', '', '\\', `\x1b_${'a'.repeat(50)}\x07\x1b\\`],
  ],
  ['an escape', '\x1bc', ['escape', '', 'c', '\x1bc']],
  ['an escape with intermediates', '\x1b(B', ['escape', '(', 'B', '\x1b(B']],
  ['what follows an aborted one', '\x1b]0;a\x1b[m', ['csi', '', 'm', '\x1b[m']],
  ['what follows a cancelled one', '\x1b[1\x18m\x1bc', ['escape', '', 'c', '\x1bc']],
  ['what follows one that is too long', `\x1b]0;${'a'.repeat(20)}\x07\x1bc`, ['escape', '', 'c', '\x1bc']],
])('found: %s', (_name, text, want) => {
  assert.deepEqual(found(text), [want])
})

const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b_', '\x1b(', '\\', '\x07', '\x18', '\x1a', '\x7f', '\n'],
      ),
      fc.constantFrom(...['1;2', '?', '$', 'm', 'c', 'é', '👍', '\x9b', 'a'.repeat(payloadBytesMax), 'text']),
      fc.uint8Array({ maxLength: 4 }).map((noise) => Buffer.from(noise).toString('latin1')),
    ),
  )
  .map((parts) => Buffer.from(parts.join('')))

test('any split of any bytes gives the same sequences', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(8)), (whole, lengths) => {
      const pieces: Uint8Array[] = []
      let at = 0
      for (const length of lengths) {
        pieces.push(whole.subarray(at, at + length))
        at = Math.min(at + length, whole.length)
      }
      pieces.push(whole.subarray(at))
      assert.deepEqual(scan(pieces), scan([whole]))
    }),
    { numRuns: 2_000 },
  )
})

test('sequences do not overlap, begin at an ESC and end with their final byte', () => {
  fc.assert(
    fc.property(bytes, (whole) => {
      let last = offset
      for (const { begin, end, final } of scan([whole])) {
        assert.ok(begin >= last && end > begin)
        assert.deepEqual([whole[begin - offset], whole[end - offset - 1]], [0x1b, final])
        last = end
      }
    }),
  )
})
