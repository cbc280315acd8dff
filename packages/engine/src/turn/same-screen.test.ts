import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { SameScreen } from './same-screen.ts'

const screen = (...rows: readonly string[]) => `\x1b[H${rows.map((row) => `${row.padEnd(40)}\r\n`).join('')}`
const panel = screen('  letter', '> photo', '', 'q leave')
const other = screen('> letter', '  photo', '', 'q leave')
/** A panel larger than a third of what is looked at. */
const large = screen(...Array.from({ length: 150 }, (_, row) => `row ${row}`.padEnd(row % 2 === 0 ? 0 : 200)))

/** Looks after each piece of output, a second later each time; returns the answer after the last. */
function sameSince(output: readonly string[]): number | null {
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  const same = new SameScreen(log)
  return output.reduce<number | null>((_since, text, index) => {
    log.append(Buffer.from(text))
    return same.since(index)
  }, null)
}

test.each<[string, readonly string[], number | null]>([
  ['three times the same screen', [panel, panel, panel], 2],
  ['the same many times, with other output before it', ['$ panel\r\n', ...Array(2_000).fill(panel)], 3],
  ['in the middle of the next one', [panel, panel, panel, panel.slice(0, 60)], 2],
  ['twice the same screen', [panel, panel], null],
  ['another screen, and then the first again', [panel, panel, panel, other, panel, panel, panel], 6],
  ['another screen of the same size', [panel, panel, panel, panel, other, other, other], 6],
  ['a counter in it', [1, 2, 3, 4, 5].map((count) => screen('> photo', `${count} done`, 'q leave')), null],
  ['another screen at last', [panel, panel, panel, screen('done')], null],
  ['lines of text that are the same', Array.from({ length: 9 }, () => 'building the project, please wait\r\n'), null],
  ['a screen nearly as large as a third of what is looked at', Array(20).fill(large), 2],
  ['nothing', [''], null],
])('%s', (_name, output, since) => {
  expect(sameSince(output)).toBe(since)
})
