/** The escape sequences that set the style of a cell, exactly as the emulator packs it. */

import { esc } from '../../contracts/escapes/controls.ts'
import type { Attributes } from './emulator-state.ts'

/** Bits of the emulator's numbers. */
const colorMode = 0x3000000
const palette16 = 0x1000000
const palette256 = 0x2000000
const hasExtended = 0x10000000
const isProtected = 0x20000000
const underline = 0x10000000
/** Of a background that an erased cell has. */
export const colorBits = 0x3ffffff

export const plain: Attributes = { fg: 0, bg: 0, ext: 0 }

export function isSameStyle(a: Attributes, b: Attributes): boolean {
  return a.fg === b.fg && a.bg === b.bg && a.ext === b.ext
}

/** Sets this style, whatever the one before was. */
export function styleSequence({ fg, bg, ext }: Attributes): string {
  const codes = [...flags(fg, bg), ...underlined(fg, bg, ext), ...color(fg, 30), ...color(bg, 40), ...lineColor(ext)]
  return `${esc}[${codes.length === 0 ? '' : `0;${codes.join(';')}`}m${(bg & isProtected) === 0 ? '' : `${esc}[1"q`}`
}

function flags(fg: number, bg: number): readonly number[] {
  return [
    ...(fg & 0x8000000 ? [1] : []),
    ...(bg & 0x8000000 ? [2] : []),
    ...(bg & 0x4000000 ? [3] : []),
    ...(fg & 0x20000000 ? [5] : []),
    ...(fg & 0x4000000 ? [7] : []),
    ...(fg & 0x40000000 ? [8] : []),
    ...(fg & 0x80000000 ? [9] : []),
    ...(bg & 0x40000000 ? [53] : []),
  ]
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
