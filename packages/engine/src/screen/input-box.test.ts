import { expect, test } from 'vitest'
import { inputBoxOf } from './input-box.ts'
import { Screen } from './screen.ts'

interface Drawn {
  readonly rows: readonly string[]
  readonly cursor: readonly [number, number]
}

/** Rows as escape sequences; the cursor's row and column count from 0. */
async function boxOf({ rows, cursor: [row, col] }: Drawn) {
  const size = { cols: 60, rows: 12 }
  const screen = new Screen({ ...size, scrollbackRows: 0, offset: 0, version: '', onReply: () => undefined })
  const bytes = rows.map((one, at) => `\x1b[${at + 1}H\x1b[0m${one}`).join('')
  await new Promise<void>((drawn) => screen.feed(Buffer.from(`${bytes}\x1b[0m\x1b[${row + 1};${col + 1}H`), drawn))
  const box = inputBoxOf(screen.picture())
  screen.dispose()
  return box
}

const line = '─'.repeat(60)
const above = '▄'.repeat(60)
const below = '▀'.repeat(60)
const caret = (text: string) => `\x1b[7m${text}\x1b[27m`
const weak = (text: string) => `\x1b[2m${text}\x1b[22m`

test.each<[string, Drawn, string | null]>([
  ['a sign between lines', { rows: ['❯ before', line, '❯', line, '  ? for shortcuts'], cursor: [2, 2] }, ''],
  ['a sign with text', { rows: ['❯ before', line, '❯ fix it', line], cursor: [2, 8] }, 'fix it'],
  ['a caret that the program draws', { rows: [line, `❯ fix it${caret(' ')}`, line, 'x'], cursor: [3, 0] }, 'fix it'],
  ['a caret in an empty box', { rows: [line, `❯ ${caret(' ')}`, line], cursor: [2, 0] }, ''],
  [
    'several rows',
    { rows: ['› before', '', '› one', '  two words', '', '  model · ~/x'], cursor: [3, 11] },
    'one\ntwo words',
  ],
  ['a weak placeholder', { rows: ['', `› ${weak('Ask it to do anything')}`, '', 'model'], cursor: [1, 2] }, ''],
  ['a placeholder behind a caret', { rows: [above, ` > ${caret(' ')} Type your message`, below], cursor: [2, 0] }, ''],
  [
    'no caret at all, and a placeholder',
    {
      rows: [above, ' > before', below, above, ' >   Type your message or @path/to/file', below, ' ~/x'],
      cursor: [6, 0],
    },
    '',
  ],
  ['no caret at all, and text', { rows: [above, ' > fix it', below, ' ~/x'], cursor: [3, 0] }, 'fix it'],
  ['a bar', { rows: ['  ┃', '  ┃  Ask anything… "What?"', '  ┃', '  ╹▀▀▀▀▀▀▀▀'], cursor: [1, 5] }, ''],
  ['a bar with text', { rows: ['  ┃', '  ┃  fix it', '  ┃', '  ╹▀▀▀▀▀▀▀▀'], cursor: [1, 11] }, 'fix it'],
  ['a box around it', { rows: ['╭──────────╮', '│ > fix it │', '╰──────────╯'], cursor: [1, 10] }, 'fix it'],
  ['the sign of a mode', { rows: [above, ' * > before', below, above, ' * fix it', below], cursor: [6, 0] }, 'fix it'],
  [
    'the sign of a mode, and nothing',
    { rows: ['x', above, ` ! ${caret(' ')} Type a command`, below], cursor: [5, 0] },
    '',
  ],
  ['a list', { rows: ['The rows are:', '* one', '* two'], cursor: [2, 5] }, null],
  ['nothing of that kind', { rows: ['total 4', 'a.txt', '$ ls'], cursor: [2, 4] }, null],
  ['a quotation above the cursor', { rows: ['> quoted', line, 'more'], cursor: [2, 4] }, null],
])('what was typed and not submitted, in %s', async (_name, drawn, draft) => {
  expect((await boxOf(drawn))?.draft ?? null).toBe(draft)
})
