import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { renderOnScratch, renderPlain, renderText } from './render-text.ts'

const bytes = (source: string): Uint8Array => Buffer.from(source)
const none = new Uint8Array(0)

async function textOf(source: string, lead = '', cols = 40): Promise<readonly string[]> {
  return (await renderText(bytes(source), { cols, lead: bytes(lead) })).map((line) => line.text)
}

for (const [name, source, want] of [
  ['nothing', '', []],
  ['lines', 'a\r\nb\r\n', ['a', 'b']],
  ['empty lines are lines', 'a\r\n\r\nb', ['a', '', 'b']],
  ['colours, titles and marks are gone', '\x1b]133;C\x07\x1b[1;31mred\x1b[0m\x1b[K\r\n', ['red']],
  ['a hyperlink is its text', '\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\\r\n', ['here']],
  ['tabs are columns', 'a\tb\r\n', ['a       b']],
  ['tabs after wide characters', '漢\tb\r\n', ['漢      b']],
  ['a progress bar is its last state', '10%\r50%\r99%\r\ndone\r\n', ['99%', 'done']],
  ['a shorter state over a longer one, erased', 'loading\r\x1b[Kok\r\n', ['ok']],
  ['a line that was erased after it was written', 'gone\r\x1b[K\r\n', ['']],
  ['backspaces', 'abd\bc\r\n', ['abc']],
  ['rows that were repainted', 'one\r\ntwo\r\n\x1b[2A\x1b[KONE\r\n\x1b[KTWO\r\n', ['ONE', 'TWO']],
  ['a screen within is not in the text', 'a\r\n\x1b[?1049hvim\x1b[?1049lb\r\n', ['a', 'b']],
  ['a screen that is still on is below the text', 'a\r\n\x1b[?1049h\x1b[Hvim', ['a', 'vim']],
  ['a cleared scrollback was read before', 'a\r\n\x1b[3Jb\r\n', ['a', 'b']],
  ['a reset begins anew', 'a\r\n\x1bcb\r\n', ['b']],
  ['8-bit controls are controls in UTF-8 too', 'abc\x9b2Dx\r\n', ['axc']],
] as const) {
  test(name, async () => assert.deepEqual(await textOf(source), want))
}

test('rows that only the width had broken are one line', async () => {
  assert.deepEqual(await textOf(`${'word '.repeat(20)}\r\nx\bnext\r\n`, '', 10), ['word '.repeat(20).trim(), 'next'])
  assert.deepEqual(await textOf('abc漢字\b\r\n', '', 4), ['abc漢字'])
})

for (const [name, lead, source, want] of [
  ['the text after the prompt', '\x1b[32m$ \x1b[0m', 'ls\r\na\r\n', ['ls', 'a']],
  ['edited after the prompt', '$ ', 'lx\b \bs\r\na\r\n', ['ls', 'a']],
  ['nothing after the prompt', '$ ', '\r\na\r\n', ['', 'a']],
  ['nothing but marks after the prompt', '$ ', '\x1b]133;B\x07', []],
  ['the same on the emulator', '$ ', 'x\b\x1b[K', []],
  ['a prompt that was written over', '$ ', '\r\x1b[K% ls\r\na', ['% ls', 'a']],
  ['tabs count from the line’s begin', 'ab', '\tc\r\n', ['      c']],
  ['a prompt of several lines', 'top\r\n> ', 'x\by\r\n', ['y']],
  ['a prompt that the width had broken', 'p'.repeat(50), 'x\by\r\n', ['y']],
  ['a line that was cut between its return and its feed', 'one\x1b[6n\r', '\n\x1b[6ntwo\r\n', ['', 'two']],
] as const) {
  test(`with a lead: ${name}`, async () => assert.deepEqual(await textOf(source, lead), want))
}

test('each line says which byte began it', async () => {
  const source = 'one\r\n10%\r99%\r\n\r\nlast'
  const want = [0, 5, 14, 16]
  assert.deepEqual(
    (await renderText(bytes(source), { cols: 40 })).map((line) => line.offset),
    want,
  )
})

test('more rows than a screen keeps are all rendered, with their offsets', async () => {
  const source = Array.from({ length: 12_000 }, (_, index) => `1\r${index}\r\n`).join('')
  const lines = await renderText(bytes(source), { cols: 40 })
  assert.equal(lines.length, 12_000)
  for (const [index, line] of lines.entries()) {
    assert.equal(line.text, String(index))
    assert.equal(source.indexOf(`1\r${index}\r\n`, line.offset), line.offset)
  }
})

test('renders do not disturb each other, nor leave anything behind', async () => {
  const first = Array.from({ length: 6 }, (_, index) => textOf(`a\rb${index}\r\n\x1b]2;never`))
  assert.deepEqual(await Promise.all(first), [['b0'], ['b1'], ['b2'], ['b3'], ['b4'], ['b5']])
  assert.deepEqual(await textOf('x\by\r\n'), ['y'])
})

const plainPiece = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\r\r\n',
    '\x1b[31m',
    '\x1b[0;1m',
    '\x1b[K',
    '\x1b]0;t\x07',
    '\x1b[?25l',
    '\x1b[?2004h',
    '\x07',
    '\x1b=',
  ),
  fc.constantFrom('word', ' ', 'a b ', '\t', 'é', '漢', '👨‍👩‍👧', '─“”', '\x1b]8;;u\x1b\\l\x1b]8;;\x1b\\'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
)

test('with and without an emulator the lines are the same', async () => {
  let plainCount = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(plainPiece, { maxLength: 20 }),
      fc.constantFrom('', '$ ', 'é> '),
      async (pieces, lead) => {
        const source = bytes(pieces.join(''))
        const plain = renderPlain(source, bytes(lead))
        if (plain === null) return
        plainCount += 1
        assert.deepEqual(plain, await renderOnScratch(source, { cols: 500, lead: bytes(lead) }))
      },
    ),
    { numRuns: 200 },
  )
  assert.ok(plainCount > 50)
})

test('any bytes are rendered, and offsets do not decrease', async () => {
  const piece = fc.oneof(
    plainPiece,
    fc.constantFrom(
      '\r',
      '\b',
      '\x1b[2A',
      '\x1b[H',
      '\x1b[2J',
      '\x1b[3J',
      '\x1bc',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[5;1H',
      '\n',
      '\x1bM',
    ),
    fc.uint8Array({ maxLength: 8 }).map((noise) => Buffer.from(noise).toString('latin1')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      let before = 0
      for (const { offset } of await renderText(bytes(pieces.join('')), { cols: 20 })) {
        assert.ok(offset >= before)
        before = offset
      }
    }),
    { numRuns: 200 },
  )
})

test('bytes that are no UTF-8 do not hurt', async () => {
  const [line] = await renderText(Uint8Array.of(0x61, 0xff, 0x62, 0x0d, 0x0a), { cols: 40 })
  assert.match(line?.text ?? '', /^a.?b$/)
})

test('an empty lead is no lead', () => {
  assert.deepEqual(renderPlain(bytes('a\r\n'), none), [{ text: 'a', offset: 0 }])
})

test('a prompt that is drawn needs no timer to be read', async () => {
  const prompt = `# : a\r\n%${' '.repeat(78)}\r \r\r\x1b[0m\x1b[J# \x1b[K`
  let lines: readonly string[] = []
  const rendering = textOf(prompt, '', 80).then((all) => {
    lines = all
  })
  // Promises that are settled already, and nothing else, go on meanwhile.
  for (let turns = 0; turns < 100; turns += 1) await Promise.resolve()
  assert.deepEqual(lines, ['# : a', '#'])
  await rendering
})
