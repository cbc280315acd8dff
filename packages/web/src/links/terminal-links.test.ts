import { boundEmulator } from '@agentpty/engine/emulator'
import { noneDropped } from '@agentpty/protocol/session'
import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { linksAround } from './terminal-links.ts'

async function linksAfter(output: string, row = 0) {
  const terminal = new Terminal({ cols: 20, rows: 6, allowProposedApi: true })
  boundEmulator(terminal, noneDropped())
  await new Promise<void>((resolve) => terminal.write(output, resolve))
  return linksAround(terminal as unknown as Parameters<typeof linksAround>[0], row)
}

const web = (host: string) => expect.objectContaining({ kind: 'web', host })

test('a hyperlink leads to its target, not to the address in its text', async () => {
  expect(await linksAfter('a \x1b]8;;https://x.example/\x07http://y.z\x1b]8;;\x07')).toEqual([
    { text: 'http://y.z', target: web('x.example'), begin: { x: 3, y: 1 }, end: { x: 12, y: 1 } },
  ])
})

test.each([0, 1])('an address that is wrapped is one link, seen from row %i', async (row) => {
  expect(await linksAfter('see http://x.example/long/path now', row)).toEqual([
    { text: 'http://x.example/long/path', target: web('x.example'), begin: { x: 5, y: 1 }, end: { x: 10, y: 2 } },
  ])
})

test('an address behind wide characters is at its cells', async () => {
  const [link] = await linksAfter('漢漢 http://x.y')
  expect(link).toMatchObject({ begin: { x: 6, y: 1 }, end: { x: 15, y: 1 } })
})

test('two hyperlinks side by side are two links', async () => {
  const links = await linksAfter('\x1b]8;;https://a.b/\x07one\x1b]8;;https://c.d/\x07two\x1b]8;;\x07')
  expect(links.map(({ text, target }) => [text, target.kind === 'web' && target.host])).toEqual([
    ['one', 'a.b'],
    ['two', 'c.d'],
  ])
})
