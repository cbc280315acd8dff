/** The colours of pictures. */

import type { CellColor } from '../screen/cell-picture.ts'
import { paletteColor } from '../screen/style-codes.ts'

export interface Theme {
  readonly foreground: string
  readonly background: string
  readonly cursor: string
  readonly named: readonly string[]
}

export const themes = {
  dark: {
    foreground: '#d8dee9',
    background: '#15181e',
    cursor: '#d8dee9',
    named: [
      ...['#2a2f3a', '#e5636a', '#8fc26f', '#e3b65c', '#5fa8e8', '#c586d8', '#4fb9c4', '#c7cdd8'],
      ...['#6b7483', '#f58a8f', '#addc8d', '#f3d083', '#8cc4f7', '#dba9ea', '#7fd8e0', '#f4f6fa'],
    ],
  },
  light: {
    foreground: '#24292f',
    background: '#ffffff',
    cursor: '#24292f',
    named: [
      ...['#24292f', '#b5202b', '#1a6b32', '#855300', '#0a5bc4', '#7d3fc0', '#13686f', '#6a737d'],
      ...['#57606a', '#cf2f3a', '#22863a', '#9a6700', '#1f75e0', '#9257d6', '#1b7c83', '#8c959f'],
    ],
  },
} as const satisfies Readonly<Record<string, Theme>>

export type ThemeName = keyof typeof themes

/** Null for the default colour. */
export function colorIn(theme: Theme, color: CellColor): string | null {
  return typeof color === 'number' ? paletteColor(theme.named, color) : color
}

/** `share` of one colour, the rest of the other; both `#rrggbb`. */
export function mixed(one: string, other: string, share: number): string {
  const part = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  const parts = [1, 3, 5].map((at) => Math.round(part(one, at) * share + part(other, at) * (1 - share)))
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
