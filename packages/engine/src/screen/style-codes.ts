/** The style of a cell as the emulator packs it: read, and as the escape sequences that set exactly it. */

import { esc } from '@agentpty/protocol/escapes'
import type { Attributes } from './emulator-state.ts'

/** Bits of the emulator's numbers. */
const colorMode = 0x3000000
const palette16 = 0x1000000
const palette256 = 0x2000000
const hasExtended = 0x10000000
const isProtected = 0x20000000
const underline = 0x10000000
/** The bits of a background's colour, which an erased cell keeps. */
export const colorBits = 0x3ffffff

export const plain: Attributes = { fg: 0, bg: 0, ext: 0, link: 0 }

export function isSameStyle(a: Attributes, b: Attributes): boolean {
  return a.fg === b.fg && a.bg === b.bg && a.ext === b.ext && a.link === b.link
}

/** Sets this style, whatever the one before was. */
export function styleSequence({ fg, bg, ext }: Omit<Attributes, 'link'>): string {
  const codes = [
    ...flags({ fg, bg }),
    ...underlined(fg, bg, ext),
    ...color(fg, 30),
    ...color(bg, 40),
    ...lineColor(ext),
  ]
  return `${esc}[${codes.length === 0 ? '' : `0;${codes.join(';')}`}m${(bg & isProtected) === 0 ? '' : `${esc}[1"q`}`
}

/** By name: the code that sets it, and its bit in one of the numbers. */
const flagTable = {
  bold: [1, 'fg', 0x8000000],
  dim: [2, 'bg', 0x8000000],
  italic: [3, 'bg', 0x4000000],
  blink: [5, 'fg', 0x20000000],
  inverse: [7, 'fg', 0x4000000],
  invisible: [8, 'fg', 0x40000000],
  strikethrough: [9, 'fg', 0x80000000],
  overline: [53, 'bg', 0x40000000],
} as const satisfies Readonly<Record<string, readonly [code: number, part: 'fg' | 'bg', bit: number]>>

export function isFlagged(style: Pick<Attributes, 'fg' | 'bg'>, flag: keyof typeof flagTable): boolean {
  const [, part, bit] = flagTable[flag]
  return (style[part] & bit) !== 0
}

function flags(style: Pick<Attributes, 'fg' | 'bg'>): readonly number[] {
  return Object.values(flagTable).flatMap(([code, part, bit]) => ((style[part] & bit) === 0 ? [] : [code]))
}

const underlineNames = ['none', 'single', 'double', 'curly', 'dotted', 'dashed'] as const

export function underlineOf({ fg, bg, ext }: Attributes): (typeof underlineNames)[number] {
  if ((fg & underline) === 0) return 'none'
  return underlineNames[(bg & hasExtended) === 0 ? 1 : (ext >> 26) & 7] ?? 'single'
}

/** An index of the palette, `#rrggbb`, or null for the default. */
export function colorOf(value: number): number | string | null {
  switch (value & colorMode) {
    case 0:
      return null
    case palette16:
    case palette256:
      return value & 0xff
    default:
      return `#${(value & 0xffffff).toString(16).padStart(6, '0')}`
  }
}

export function underlineColorOf({ bg, ext }: Attributes): number | string | null {
  return (bg & hasExtended) === 0 ? null : colorOf(ext)
}

function underlined(fg: number, bg: number, ext: number): readonly string[] {
  if ((fg & underline) === 0) return []
  const kind = (bg & hasExtended) === 0 ? 1 : (ext >> 26) & 7
  if (kind === 0) return []
  return [kind === 1 ? '4' : `4:${kind}`]
}

function color(value: number, base: 30 | 40): readonly (number | string)[] {
  const number = value & 0xff
  switch (value & colorMode) {
    case 0:
      return []
    case palette16:
      return [number < 8 ? base + number : base + 60 + number - 8]
    case palette256:
      return [base + 8, 5, number]
    default:
      return [base + 8, 2, (value >> 16) & 0xff, (value >> 8) & 0xff, number]
  }
}

function lineColor(ext: number): readonly (number | string)[] {
  const mode = ext & colorMode
  if (mode === 0) return []
  if (mode !== colorMode) return [58, 5, ext & 0xff]
  return [58, 2, (ext >> 16) & 0xff, (ext >> 8) & 0xff, ext & 0xff]
}

/** The 256 colours that programs name by a number: sixteen that a theme decides, a cube of 6 × 6 × 6 from 16 on, 24 greys from 232 on. */
export function paletteColor(named: readonly string[], color: number): string | null {
  if (color < 16) return named[color] ?? null
  if (color >= 232) return rgb([8 + (color - 232) * 10, 8 + (color - 232) * 10, 8 + (color - 232) * 10])
  const index = color - 16
  return rgb(
    [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => (step === 0 ? 0 : 55 + step * 40)),
  )
}

const rgb = (parts: readonly number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** A line as a person would have read it: one row, or several that only the width of the screen had broken. */
export interface RenderedLine {
  readonly text: string
  /** Index of the first byte that began it, in the bytes that were rendered. Never decreases from line to line. */
  readonly offset: number
  /** How many lines it represents, when it represents several. */
  readonly standsFor?: number
}

/** One row of a terminal. */
export interface RenderedRow {
  readonly text: string
  /** The text with escape sequences that set its styles. It does not depend on the row above. */
  readonly styled: string
  /** Index of the first byte of its line, in the bytes that were rendered. */
  readonly offset: number
  /** It continues the row above it. */
  readonly isWrapped: boolean
}

/** The text without the spaces at its end. A loop, because a pattern would try again at every space of a long line. */
export function trimBlanks(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(0, end)
}
