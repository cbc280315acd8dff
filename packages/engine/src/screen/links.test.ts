import { noneDropped } from '@agentpty/protocol/session'
import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { boundEmulator } from './bound-emulator.ts'
import { rowsOf } from './draw-rows.ts'
import { drawTerminal } from './draw-terminal.ts'
import { Links, linkCharactersMax, linksCharactersMax, linksOf } from './links.ts'

async function terminalAfter(output: string, dropped = noneDropped()): Promise<Terminal> {
  const terminal = new Terminal({ cols: 40, rows: 6, scrollback: 100, allowProposedApi: true })
  boundEmulator(terminal, dropped)
  await new Promise<void>((resolve) => terminal.write(output, resolve))
  return terminal
}

const link = (target: string, text: string) => `\x1b]8;;${target}\x07${text}\x1b]8;;\x07`

/** The text of a row with the targets of its links. */
function linkedRow(terminal: Terminal, row: number): string {
  const [drawn] = rowsOf(terminal.buffer.active, row, row + 1)
  const parts: string[] = []
  let last = 0
  for (const { text, style } of drawn?.cells ?? []) {
    if (style.link !== last) parts.push(`<${linksOf(terminal)?.targetOf(style.link) ?? ''}>`)
    last = style.link
    parts.push(text)
  }
  return parts.join('')
}

test('a cell knows the target of its link, also with other styles, after a reset of the style, and in the next row', async () => {
  const terminal = await terminalAfter('a \x1b]8;id=1;https://x.example/?a;b\x07b\x1b[1mc\x1b[md\r\ne\x1b]8;;\x07f')
  expect([linkedRow(terminal, 0), linkedRow(terminal, 1)]).toEqual([
    'a <https://x.example/?a;b>bcd<>',
    '<https://x.example/?a;b>e<>f',
  ])
})

test('a link keeps the underline that the program has set, and adds none', async () => {
  const terminal = await terminalAfter(`${link('https://x.example/', 'a\x1b[4:3mb\x1b[m')}`)
  const [row] = rowsOf(terminal.buffer.active, 0, 1)
  expect(row?.cells.slice(0, 2).map(({ style }) => style.ext >> 26)).toEqual([0, 3])
})

test('a target is kept once, however often it is printed', async () => {
  const terminal = await terminalAfter(link('https://x.example/', 'a') + link('https://x.example/', 'b'))
  const [row] = rowsOf(terminal.buffer.active, 0, 1)
  expect(new Set(row?.cells.slice(0, 2).map((cell) => cell.style.link))).toEqual(new Set([1]))
})

test('secrets in targets are hidden when the terminal is drawn', async () => {
  const terminal = await terminalAfter(link('https://x.example/?token=abc', 'a'))
  const hideTitle = (text: string) => text.replaceAll('abc', '***')
  const drawn = drawTerminal(terminal, { title: '', scrollbackRows: 0, scrollbackCharacters: 0, hideTitle })
  expect(drawn).toContain('\x1b]8;;https://x.example/?token=***\x07')
  expect(drawn).not.toContain('abc')
})

test('the targets that were used longest ago are dropped beyond the bound, and counted', () => {
  const dropped = noneDropped()
  const links = new Links(dropped)
  const target = (name: string) => name.padEnd(linkCharactersMax, 'x')
  const first = links.numberOf(target('first'))
  const second = links.numberOf(target('second'))
  const fitting = Math.floor(linksCharactersMax / linkCharactersMax)
  for (let index = 2; index < fitting; index++) links.numberOf(target(`${index} `))
  expect([links.targetOf(first), links.targetOf(second), dropped.links]).toEqual([target('first'), target('second'), 0])
  expect(links.numberOf(target('first'))).toBe(first)
  links.numberOf(target('last'))
  expect([links.targetOf(first), links.targetOf(second), dropped.links]).toEqual([target('first'), null, 1])
  expect(links.numberOf(target('second'))).toBeGreaterThan(second)
})

test('the text of a link whose target is too long is shown without it', async () => {
  const dropped = noneDropped()
  const terminal = await terminalAfter(link(`https://${'x'.repeat(linkCharactersMax)}`, 'text'), dropped)
  expect([linkedRow(terminal, 0), dropped.links]).toEqual(['text', 1])
})
