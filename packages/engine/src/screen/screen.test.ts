import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { Screen } from './screen.ts'
import type { ScreenSnapshot } from './screen-copies.ts'

interface Harness {
  readonly screen: Screen
  readonly replies: string[]
  readonly feed: (bytes: string | Uint8Array) => Promise<void>
}

function openScreen(cols = 20, rows = 4): Harness {
  const replies: string[] = []
  const onReply = (bytes: Uint8Array): void => void replies.push(Buffer.from(bytes).toString())
  const screen = new Screen({ cols, rows, scrollbackRows: 50, offset: 0, version: '1.2.3', onReply })
  const feed = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => screen.feed(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, resolve))
  return { screen, replies, feed }
}

async function shown(bytes: string | Uint8Array, cols = 20, rows = 4): Promise<ScreenSnapshot> {
  const { screen, feed } = openScreen(cols, rows)
  await feed(bytes)
  return screen.snapshot()
}

/** The rows with `|` for the cursor, without the empty ones at the end. */
function drawn({ text, cursor, cols }: ScreenSnapshot): readonly string[] {
  const rows = text.map((row, index) => {
    if (index !== cursor.row || cursor.col === cols - 1) return row
    const padded = row.padEnd(cursor.col)
    return `${padded.slice(0, cursor.col)}|${padded.slice(cursor.col)}`
  })
  while (rows.at(-1) === '') rows.pop()
  return rows
}

for (const [name, source, want] of [
  ['text and line breaks', 'a\r\nb', ['a', 'b|']],
  ['written spaces at the end are trimmed', 'a   \r\n', ['a', '|']],
  ['carriage return writes over', '10%\r99%', ['99%|']],
  ['cursor movement', 'abc\x1b[2Dx', ['ax|c']],
  [
    'a scroll region keeps what is outside',
    'top\x1b[2;3r\x1b[2;1Ha\r\nb\r\nc\x1b[r\x1b[4;1Hend',
    ['top', 'b', 'c', 'end|'],
  ],
  ['the alternate screen gives the first one back', 'shell\x1b[?1049h\x1b[Hvim\x1b[?1049l', ['shell|']],
] as const) {
  test(name, async () => assert.deepEqual(drawn(await shown(source)), want))
}

for (const [name, source, width] of [
  ['a wide character', '漢', 2],
  ['a combining mark', 'e\u0301', 1],
  ['a family emoji', '👨‍👩‍👧‍👦', 2],
  ['a flag', '🇩🇪', 2],
  ['a skin tone', '👍🏽', 2],
  ['a keycap', '1\ufe0f\u20e3', 2],
] as const) {
  test(`${name} is ${width} wide and one piece of text`, async () => {
    const snapshot = await shown(`${source}x`)
    assert.equal(snapshot.text[0], `${source}x`)
    assert.equal(snapshot.cursor.col, width + 1)
  })
}

test('a row that continues the one above says so, and the cursor stays inside', async () => {
  const snapshot = await shown('abcdefgh', 4)
  assert.deepEqual(snapshot.text.slice(0, 2), ['abcd', 'efgh'])
  assert.deepEqual(snapshot.wrapped, [false, true, false, false])
  assert.deepEqual(snapshot.cursor, { row: 1, col: 3, visible: true })
})

test('modes, title and cursor visibility are in the snapshot', async () => {
  const snapshot = await shown('\x1b]2;vim\x07\x1b[?1;25;2004;1000;1049h\x1b[?25l')
  assert.deepEqual(snapshot.modes, { applicationCursorKeys: true, bracketedPaste: true, mouse: true })
  assert.deepEqual([snapshot.title, snapshot.alternateScreen, snapshot.cursor.visible], ['vim', true, false])
  assert.equal((await shown('\x1b[?25l\x1bc')).cursor.visible, true)
})

test('what was parsed is exactly what was fed before the callback', async () => {
  const { screen } = openScreen()
  const seen = await new Promise<readonly unknown[]>((resolve) => {
    const at: unknown[] = []
    const note = (): void => void at.push([screen.parsedTo, screen.snapshot().text[0]])
    screen.feed(Buffer.from('ab'), note)
    screen.feed(Buffer.from(''), note)
    screen.feed(Buffer.from('cd'), () => {
      note()
      resolve(at)
    })
  })
  assert.deepEqual(seen, [
    [2, 'ab'],
    [2, 'ab'],
    [4, 'abcd'],
  ])
})

test('scrollback comes with the viewport below it', async () => {
  const { screen, feed } = openScreen(10, 2)
  await feed('1\r\n2\r\n3\r\n4')
  assert.deepEqual(screen.scrollbackText(1), ['2', '3', '4'])
  assert.deepEqual(screen.scrollbackText(99), ['1', '2', '3', '4'])
  assert.deepEqual(screen.scrollbackText(0), ['3', '4'])
})

test('a resize changes the size of the next snapshot', async () => {
  const { screen, feed } = openScreen(10, 2)
  await feed('abcdef')
  screen.resize({ cols: 4, rows: 3 })
  const snapshot = screen.snapshot()
  assert.deepEqual([snapshot.cols, snapshot.rows, snapshot.text.length], [4, 3, 3])
})

for (const [name, source, want] of [
  ['primary attributes', '\x1b[c', ['\x1b[?1;2c']],
  ['cursor position', 'ab\x1b[6n', ['\x1b[1;3R']],
  [
    'cursor position while the next character would wrap',
    `${'x'.repeat(20)}\x1b[6n\x1b[?6n`,
    ['\x1b[1;20R', '\x1b[?1;20R'],
  ],
  ['device status', '\x1b[5n', ['\x1b[0n']],
  ['a mode', '\x1b[?2004$p', ['\x1b[?2004;2$y']],
  ['version', '\x1b[>q', ['\x1bP>|agentpty(1.2.3)\x1b\\']],
  ['version with its parameter', '\x1b[>0q', ['\x1bP>|agentpty(1.2.3)\x1b\\']],
  ['keyboard flags', '\x1b[?u', ['\x1b[?0u']],
  ['foreground', '\x1b]10;?\x07', ['\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\']],
  ['both colours', '\x1b]10;?;?\x07', ['\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\', '\x1b]11;rgb:0000/0000/0000\x1b\\']],
  ['background', '\x1b]11;?\x1b\\', ['\x1b]11;rgb:0000/0000/0000\x1b\\']],
  ['the clipboard is never read', '\x1b]52;c;?\x07\x1b]52;;?\x1b\\', []],
  ['a colour that is set', '\x1b]11;#123456\x07', []],
] as const) {
  test(`answer once: ${name}`, async () => {
    const { replies, feed } = openScreen()
    await feed(source)
    assert.deepEqual(replies, want)
  })
}

test('a sequence that would be repeated for hours is refused', async () => {
  const endless = Array.from('ILMSTZb', (final) => `\x1b[2147483647${final}`).join('')
  assert.equal((await shown(`a${endless}b`)).text[0], 'ab')
})

test('while history is replayed nothing is answered', async () => {
  const { screen, replies, feed } = openScreen()
  screen.answerQueries = false
  await feed('\x1b[c\x1b[>q\x1b]10;?\x07\x1b[?u')
  screen.answerQueries = true
  assert.deepEqual(replies, [])
})

test('html shows colours and styles, and escapes text', async () => {
  const { screen, feed } = openScreen(20, 1)
  await feed('<b>\x1b[1;4;31mR\x1b[0;7mI\x1b[0;38;2;1;2;3mT\x1b[0;48;5;196m \x1b[0m')
  const pre = '<pre style="color:#e5e5e5;background:#000000;font-family:monospace">'
  assert.equal(
    screen.toHtml(),
    `${pre}&#60;b&#62;<span style="color:#cd0000;font-weight:bold;text-decoration:underline">R</span>` +
      '<span style="color:#000000;background:#e5e5e5">I</span><span style="color:#010203">T</span>' +
      '<span style="background:#ff0000"> </span></pre>',
  )
})

const corpus = [
  'plain\r\n',
  'abcdefghijklmnopqrstuvwxyz',
  '漢字かな',
  'e\u0301🇩🇪👨‍👩‍👧x',
  '\x1b[31mred\x1b[0m',
  '\x1b[1;7mbold\x1b[m ',
  '\x1b[2;3Hat',
  '\x1b[A',
  '\x1b[K',
  '\x1b[2J',
  '\x1b[1L',
  '\x1b[2;3r',
  '\x1b[r',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b]2;title\x07',
  '\t|\b',
  '\n\n',
  '\x1b[?1;25;1002;2004h',
  '\x1b[?25l',
  '\x1b[48;5;20;38;2;9;8;7;3;4mx\x1b[K',
]

test('any chunking gives the same snapshot, be it inside a character or a sequence', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(...corpus), fc.string({ maxLength: 6 })), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }),
      async (pieces, lengths) => {
        const whole = Buffer.from(pieces.join(''))
        const { screen, feed } = openScreen()
        let at = 0
        for (const length of [...lengths, whole.length]) {
          await feed(whole.subarray(at, at + length))
          at += length
        }
        assert.deepEqual(screen.snapshot(), await shown(whole))
        screen.dispose()
      },
    ),
    { numRuns: 60 },
  )
})

test('UTF-8 may be split at every byte', async () => {
  const whole = Buffer.from('é漢─“👨‍👩‍👧🇩🇪')
  const { screen, feed } = openScreen()
  for (const value of whole) await feed(Uint8Array.of(value))
  assert.equal(screen.snapshot().text[0], 'é漢─“👨‍👩‍👧🇩🇪')
})

test('a dump drawn on a fresh screen shows the same text, styles and modes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...corpus), { maxLength: 12 }), async (pieces) => {
      const first = openScreen()
      await first.feed(pieces.join(''))
      const copy = openScreen()
      await copy.feed(first.screen.toAnsi())
      const { text, cursor, modes, alternateScreen } = first.screen.snapshot()
      const { wrapped, title, offset, ...rest } = copy.screen.snapshot()
      assert.deepEqual(rest, { cols: 20, rows: 4, text, cursor, modes, alternateScreen })
      assert.equal(copy.screen.toHtml(), first.screen.toHtml())
    }),
    { numRuns: 100 },
  )
})
