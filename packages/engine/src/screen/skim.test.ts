import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Screen } from './screen.ts'
import { skim, sliceWithin, WholeCharacters } from './skim.ts'

const bytesOf = (text: string) => Buffer.from(text, 'utf8')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\r\n`).join('')

describe('what is passed over', () => {
  test('is all but the last lines', () => {
    const text = numbers(20_000)
    const skimmed = skim(bytesOf(text), 100)
    assert.equal(text.slice(skimmed?.bytes), numbers(20_000).split('\n').slice(-101).join('\n'))
  })

  test('leaves its colours', () => {
    const text = `\x1b[1m${numbers(5_000)}\x1b[0m\x1b[32m${numbers(50)}\x1b[4m${numbers(200)}`
    assert.equal(skim(bytesOf(text), 100)?.residue, '\x1b[0m\x1b[32m\x1b[4m')
  })

  test.each<[string, string]>([
    ['of little output', numbers(500)],
    ['of few lines', 'x'.repeat(100_000)],
    ['where the cursor is moved', `${numbers(10_000)}\x1b[A${numbers(200)}`],
    ['where a mark is', `${numbers(10_000)}\x1b]133;A\x07${numbers(200)}`],
    ['where a character set is switched', `${numbers(10_000)}\x0e${numbers(200)}`],
    ['where an 8-bit control is', `${numbers(10_000)}\u009b1A${numbers(200)}`],
    ['where lines end without a return', numbers(10_000).replaceAll('\r', '')],
  ])('is nothing %s', (_what, text) => {
    assert.equal(skim(bytesOf(text), 100), null)
  })
})

const line = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\x00-\x1f\x7f]/g, '-')),
  fc.constantFrom('\x1b[31mred', '\x1b[0m', 'wide 中文 😀', '\ttab', 'over\rwritten', 'x'.repeat(55), '\x1b[1;4mbold'),
)
/** Long enough to be passed over. */
const flood = fc.array(line, { minLength: 20, maxLength: 40 }).map((lines) => `${lines.join('\r\n')}\r\n`.repeat(90))
const before = fc.constantFrom(
  '',
  'typed\r\n',
  'a\r\nb\r\nc\x1b[2A',
  '\x1b[7m',
  '\x1b[2;5r',
  '\x1b[?1049h',
  '\x1b]0;open',
  '\xc3',
)

async function drawn(prelude: string, text: string, isSkimming: boolean) {
  const options = { cols: 40, rows: 8, scrollbackRows: 20, offset: 0, version: '', onReply: () => undefined }
  const screen = new Screen(options)
  const play = (bytes: Uint8Array) => new Promise<void>((resolve) => screen.feed(bytes, resolve))
  await play(Buffer.from(prelude, 'latin1'))
  const bytes = bytesOf(text)
  const skimmed = isSkimming ? screen.skim(bytes) : 0
  await play(bytes.subarray(skimmed))
  const picture = { snapshot: screen.snapshot(), rows: screen.scrollbackText(20), ansi: screen.toAnsi() }
  await play(Buffer.from('\x07after\r\nit'))
  const result = { picture, after: screen.toAnsi(), skimmed }
  screen.dispose()
  return result
}

test('a screen that passed over a flood is the screen that drew it', async () => {
  let skims = 0
  await fc.assert(
    fc.asyncProperty(before, flood, async (prelude, text) => {
      const quick = await drawn(prelude, text, true)
      const whole = await drawn(prelude, text, false)
      if (quick.skimmed > 0) skims++
      expect({ ...quick, skimmed: 0 }).toEqual(whole)
    }),
    { numRuns: 60 },
  )
  assert.ok(skims > 10, `${skims} floods were passed over`)
})

const size = { cols: 80, rows: 24 }
const lengthOf = (output: string, micros = 2_000) => sliceWithin(Buffer.from(output), micros, size)

test.each<[string, string]>([
  ['text', 'hello world\r\n'.repeat(1_000)],
  ['coloured text', '\x1b[31mhello\x1b[0m world, and more of it on the same line\r\n'.repeat(200)],
  ['nothing', ''],
])('%s is played in one go', (_what, output) => {
  assert.equal(lengthOf(output), output.length)
})

test.each<[string, string]>([
  ['resets', '\x1bc'],
  ['whole screens of E', '\x1b#8'],
  ['clears', '\x1b[2J'],
  ['changes to the alternate screen', '\x1b[?25;1049h'],
  ['inserted lines', '\x1b[1000L'],
])('%s are played a few at a time, each of them whole', (_what, sequence) => {
  const length = lengthOf(sequence.repeat(10_000))
  assert.equal(length % sequence.length, 0)
  expect(length / sequence.length).toBeLessThan(100)
})

test('something is always played, however much it costs', () => {
  assert.ok(lengthOf('\x1b[1000L\x1b[1000L', 1) > 0)
  assert.ok(lengthOf('x'.repeat(100), 0) > 0)
})

test('what is let through never ends inside a character, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 1, max: 3 })), (text, lengths) => {
      const whole = Buffer.from(text)
      const characters = new WholeCharacters()
      let shown = ''
      let at = 0
      for (const length of [...lengths, whole.length]) {
        shown += Buffer.from(characters.take(whole.subarray(at, at + length))).toString()
        at += length
      }
      assert.equal(shown, whole.toString())
    }),
  )
})

for (const [name, bytes, want] of [
  ['a lone continuation byte', [0x61, 0x80], 'a\ufffd'],
  ['a byte that begins nothing', [0x61, 0xff], 'a\ufffd'],
  ['three continuation bytes', [0x80, 0x80, 0x80], '\ufffd\ufffd\ufffd'],
  ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x20], 'caf\ufffd '],
  ['a beginning, which waits', [0x61, 0xf0, 0x9f, 0x91], 'a'],
] as const) {
  test(`${name} is shown as it can be`, () => {
    assert.equal(Buffer.from(new WholeCharacters().take(Uint8Array.from(bytes))).toString(), want)
  })
}

test('any bytes are shown the same, however they are cut', () => {
  const pieces = fc.constantFrom('a', 'é', '一', '👩').map((text) => [...Buffer.from(text)])
  const bytes = fc.array(
    fc.oneof(
      pieces,
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
    ),
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.integer({ min: 1, max: 3 })), (parts, lengths) => {
      const all = Uint8Array.from([...parts.flat(), 0x0a])
      const characters = new WholeCharacters()
      let shown = ''
      let at = 0
      for (const length of [...lengths, all.length]) {
        shown += Buffer.from(characters.take(all.subarray(at, at + length))).toString()
        at += length
      }
      assert.equal(shown, new TextDecoder('utf-8', { ignoreBOM: true }).decode(all))
    }),
  )
})
