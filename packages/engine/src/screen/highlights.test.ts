import { describe, expect, test } from 'vitest'
import { Screen } from './screen.ts'

/** A screen of 8 rows of 40 columns on which this was drawn. */
async function draw(...rows: readonly string[]) {
  const size = { cols: 40, rows: 8 }
  const screen = new Screen({ ...size, scrollbackRows: 0, offset: 0, version: '', onReply: () => undefined })
  const bytes = rows.map((row, at) => `\x1b[${at + 1}H\x1b[0m${row}`).join('')
  await new Promise<void>((drawn) => screen.feed(Buffer.from(bytes), drawn))
  const picture = screen.picture()
  screen.dispose()
  return picture
}

const inverse = (text: string) => `\x1b[7m${text}\x1b[27m`
const onRed = (text: string) => `\x1b[41m${text}\x1b[47m`
/** A window that covers most of the screen. */
const inWindow = (text: string) => `\x1b[44m   \x1b[47m${text}\x1b[K`

describe('marked is', () => {
  test.each<[string, readonly string[], number, string]>([
    ['the item of a menu that is drawn in reverse', ['one', inverse('two'), 'three'], 1, '«two»'],
    ['only the words of a bar', ['', inverse('  chosen item                  ')], 1, '  «chosen item»'],
    [
      'a button in a window',
      [inWindow('Sure?'), inWindow(`${onRed('<Yes>')}  <No>`), inWindow('')],
      1,
      '   «<Yes>»  <No>',
    ],
    ['a wide character with the others', [inverse('漢字 kanji')], 0, '«漢字 kanji»'],
    ['a selection within a row', [`let ${inverse('name')} = 1`], 0, 'let «name» = 1'],
  ])('%s', async (_what, rows, row, want) => {
    expect((await draw(...rows)).marked[row]).toBe(want)
  })

  test.each<[string, readonly string[]]>([
    ['plain text', ['one', 'two']],
    ['colour of the text alone', ['\x1b[31mred', '\x1b[1;4mbold']],
    ['a window that covers much', Array.from({ length: 8 }, () => inWindow('text'))],
    ['a bar of keys', ['', ['Help', 'Menu', 'View', 'Edit', 'Copy'].map((key) => `${inverse(key)} `).join('')]],
    ['a strip without text, a shadow', [`text ${inverse('    ')}`]],
  ])('nothing of %s', async (_what, rows) => {
    const { marked, text, highlights } = await draw(...rows)
    expect(marked).toEqual(text)
    expect(highlights).toEqual([])
  })
})

test('highlights give their position, from 0, and without the blanks around', async () => {
  const { highlights } = await draw('', `ab${inverse(' 漢 x ')}`)
  expect(highlights).toEqual([{ row: 1, col: 3, text: '漢 x' }])
})

test('rows of the same text and other colours have another style', async () => {
  const [plain, red, again] = (await draw('same', '\x1b[31msame', 'same')).styles
  expect(plain).toBe(again)
  expect(plain).not.toBe(red)
})
