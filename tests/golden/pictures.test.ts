/** Pictures of real screens in their last reviewed state. UPDATE=1 rewrites them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { drawPixels, pixelSize, type ThemeName, themes, writePng, writeSvg } from '@agentpty/engine/picture'
import { Screen } from '@agentpty/engine/screen'
import type { CellPicture } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { loadGolden } from './replay.ts'

interface Shown {
  readonly bytes: Uint8Array
  readonly cols: number
  readonly rows: number
}

/** All characters that are drawn instead of written, and every style. */
const glyphs = (): Shown => {
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')
  const boxes = [0x2500, 0x2520, 0x2540, 0x2560].map((first) => [...range(first, first + 31)].join(' '))
  const tables = ['┌─┬─┐╔═╦═╗┏━┳━┓╒═╤═╕╓─╥─╖', '├─┼─┤╠═╬═╣┣━╋━┫╞═╪═╡╟─╫─╢', '└─┴─┘╚═╩═╝┗━┻━┛╘═╧═╛╙─╨─╜']
  const others = [range(0x2580, 0x259f), range(0x2800, 0x283f), range(0xe0b0, 0xe0b7), range(0x1fb00, 0x1fb3b)]
  const signs = '⎿⏴⏵⏶⏷⏸⏹⏺⬝'
  const styles = ['1', '2', '3', '4', '4:2', '4:3;58;5;1', '4:4', '4:5', '7', '8', '9', '53']
  const styled = styles.map((style) => `\x1b[${style}m${style}\x1b[m `).join('')
  const colors = Array.from({ length: 60 }, (_, index) => `\x1b[48;2;${index * 4};${255 - index * 4};128m `).join('')
  const lines = [...boxes, ...tables, ...others, signs, styled, `${colors}\x1b[m`, 'cursor']
  return { bytes: Buffer.from(lines.join('\r\n')), cols: 80, rows: lines.length }
}

function agent(name: string, share: number): Shown {
  const folder = join(import.meta.dirname, '../agents/recordings')
  const bytes = gunzipSync(readFileSync(join(folder, `${name}.raw.gz`)))
  return { bytes: bytes.subarray(0, Math.floor(bytes.length * share)), cols: 110, rows: 36 }
}

async function cellsOf({ bytes, cols, rows }: Shown): Promise<CellPicture> {
  const screen = new Screen({ cols, rows, scrollbackRows: 100, offset: 0, version: '0', onReply: () => {} })
  await new Promise<void>((parsed) => screen.feed(bytes, parsed))
  const cells = screen.cells(0)
  screen.dispose()
  return cells
}

const pictures: readonly (readonly [name: string, shown: () => Shown, theme: ThemeName])[] = [
  ['glyphs', glyphs, 'dark'],
  ['htop', () => loadGolden('htop-one'), 'dark'],
  ['mc', () => loadGolden('mc-menu'), 'dark'],
  ['vim', () => loadGolden('vim-visual'), 'light'],
  ['wide-characters', () => loadGolden('wide-characters'), 'dark'],
  ['claude', () => agent('claude', 0.7), 'dark'],
  ['opencode', () => agent('opencode', 0.7), 'dark'],
]

test.each(pictures)('%s is drawn as recorded', async (name, shown, theme) => {
  // One line for each element, so that a change is readable.
  const svg = writeSvg(await cellsOf(shown()), themes[theme]).replaceAll('><', '>\n<')
  const path = join(import.meta.dirname, 'pictures', `${name}.svg`)
  if (process.env['UPDATE'] === '1') writeFileSync(path, svg)
  expect(svg).toBe(readFileSync(path, 'utf8'))
})

const fonts = ['', '-Bold', '-Oblique'].map((face) => `node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono${face}.ttf`)
const options = { fonts, withSystemFonts: false }

test('lines of neighbouring cells meet, without a gap and without a font', async () => {
  const cells = await cellsOf({ bytes: Buffer.from('\x1b[?25l╔══╗\r\n║  ║\r\n╚══╝'), cols: 4, rows: 3 })
  const { rgba, width } = await drawPixels(writeSvg(cells, themes.dark), pixelSize(cells), { ...options, fonts: [] })
  const isLine = (x: number, y: number) => (rgba[(y * width + x) * 4] ?? 0) > 0xc0
  // The upper one of two lines, from corner to corner, and the left one down to the lowest corner.
  const across = Array.from({ length: 4 * 9 - 6 }, (_, index) => isLine(6 + 3 + index, 6 + 8))
  const down = Array.from({ length: 2 * 18 + 2 }, (_, index) => isLine(6 + 3, 6 + 8 + index))
  expect([new Set(across), new Set(down)]).toEqual([new Set([true]), new Set([true])])
})

test('a picture has the size of its cells, and a large one is scaled down to the limit of models', async () => {
  const small = await cellsOf({ bytes: Buffer.from('small'), cols: 80, rows: 24 })
  const large = await cellsOf({ bytes: Buffer.from('large'), cols: 500, rows: 50 })
  const png = (cells: CellPicture) => writePng(writeSvg(cells, themes.dark), pixelSize(cells), options)
  const first = await png(small)
  const second = await png(large)
  expect([first.width, first.height]).toEqual([80 * 9 + 12, 24 * 18 + 12])
  expect(second.width).toBe(2_000)
  expect(Buffer.from(second.bytes.subarray(1, 4)).toString()).toBe('PNG')
})

test('text uses the named font, and a picture neither runs nor loads anything', async () => {
  const cells = await cellsOf({ bytes: Buffer.from('<script>alert("1")</script> & \x1b[1mbold'), cols: 60, rows: 1 })
  const svg = writeSvg(cells, themes.dark)
  expect(svg).toContain('&lt;script&gt;alert("1")&lt;/script&gt; &amp;')
  expect(svg).toContain('font-weight="bold">bold<')
  expect(svg).not.toMatch(/<script|href|url\(|http(?!:\/\/www\.w3\.org\/2000\/svg)/)
})
