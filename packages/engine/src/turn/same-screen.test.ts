import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { sameScreenFrom } from './same-screen.ts'

const screen = (...rows: readonly string[]) => `\x1b[H${rows.map((row) => `${row.padEnd(40)}\r\n`).join('')}`
const panel = screen('  letter', '> photo', '', 'q leave')

test.each<[string, readonly string[], number | null]>([
  ['three times the same screen', [panel, panel, panel], panel.length],
  // The end of the line before is that of a screen.
  ['the same with other output before it', ['$ panel\r\n', panel, panel, panel, panel], 7 + panel.length],
  ['in the middle of the next one', [panel, panel, panel, panel.slice(0, 60)], panel.length],
  ['twice the same screen', [panel, panel], null],
  ['a counter in it', [1, 2, 3, 4, 5].map((count) => screen('> photo', `${count} done`, 'q leave')), null],
  ['another screen at last', [panel, panel, panel, screen('done')], null],
  ['lines of text that are the same', Array.from({ length: 9 }, () => 'building the project, please wait\r\n'), null],
  ['nothing', [], null],
])('%s', (_name, output, from) => {
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  for (const text of output) log.append(Buffer.from(text))
  expect(sameScreenFrom(log)).toBe(from)
})
