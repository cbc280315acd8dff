import { expect, test } from 'vitest'
import { caretLineOf } from './drawn-caret.ts'
import { Screen } from './screen.ts'

const caret = (text: string) => `\x1b[7m${text}\x1b[27m`

test.each<[string, readonly string[], readonly [above: string, before: string] | null]>([
  ['behind a question', [`Your address: a${caret(' ')}`], ['', 'Your address: a']],
  ['on a placeholder, in a frame', ['◆  Your project?', `│  ${caret('m')}y-app`, '└'], ['◆  Your project?', '']],
  ['a block behind the text, in a frame', ['◆  Your project?', '│  shop█', '└'], ['◆  Your project?', 'shop']],
  ['the lower of two', [`name: a${caret('b')}`, '', `port: ${caret(' ')}`], ['name: ab', 'port:']],
  ['a hidden character', [`token: ${caret('\x1b[8m_\x1b[28m')}`], ['', 'token: ']],
  ['a chosen item is none', ['Use a router?', caret('> No'), '  Yes'], null],
  ['nor is one of several numbers', [`${caret('1')} 2 3 4`, '5 6 7 8'], null],
  ['nor is a bar', ['building', '██████'], null],
  ['nor is a plain screen', ['Use a router?', '● No', '○ Yes'], null],
])('%s', async (_name, rows, line) => {
  const size = { cols: 60, rows: 8 }
  const screen = new Screen({ ...size, scrollbackRows: 0, offset: 0, version: '', onReply: () => undefined })
  await new Promise<void>((drawn) => screen.feed(Buffer.from(rows.join('\r\n')), drawn))
  const seen = caretLineOf(screen.picture())
  screen.dispose()
  expect(seen && [seen.above, seen.before]).toEqual(line)
})
