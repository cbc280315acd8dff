/** Maps the colours of text runs to the colours of terminals on this page. */

import { type LookOptions, lookOf } from '@agentpty/terminal-view/themes'
import type { Color, Style } from './row-runs.ts'

export interface Theme {
  readonly background: string
  readonly foreground: string
  readonly cursor: string
  /** The sixteen named colours. */
  readonly palette: readonly string[]
  /** The least contrast ratio of text. */
  readonly contrast: number
  readonly fontFamily: string
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const bright = [
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const

export function themeOf(options: LookOptions = {}): Theme {
  const { theme, contrast, fontFamily } = lookOf(options)
  const { background = '#000', foreground = '#fff', cursor = foreground } = theme
  const palette = [...names, ...bright].map((name) => theme[name] ?? foreground)
  return { background, foreground, cursor, palette, contrast, fontFamily }
}

/** The colours of a theme that were computed already, by those of the text. The wall needs them for each run of each frame. */
const computed = new WeakMap<Theme, Map<string, readonly [string, string]>>()
/** Programs that draw pictures use all true colours. */
const computedMax = 4_096

/** Returns the colours of the text, which is readable, and of its background. */
export function colorsOf({ foreground, background, isInverse }: Style, theme: Theme): readonly [string, string] {
  const known = computed.get(theme) ?? new Map<string, readonly [string, string]>()
  computed.set(theme, known)
  const key = `${foreground} ${background} ${isInverse}`
  const before = known.get(key)
  if (before !== undefined) return before
  const color = colorOf(foreground, theme) ?? theme.foreground
  const ground = colorOf(background, theme) ?? theme.background
  const [text, under] = isInverse ? [ground, color] : [color, ground]
  const colors = [readableOn(under, text, theme), under] as const
  if (known.size >= computedMax) known.clear()
  known.set(key, colors)
  return colors
}

function colorOf(color: Color, { palette }: Theme): string | null {
  if (typeof color !== 'number') return color
  return palette[color] ?? fixedColor(color)
}

/** Returns the colour if it is readable on its background, else the more readable of the theme's two colours. */
function readableOn(ground: string, color: string, { foreground, background, contrast }: Theme): string {
  if (contrastOf(color, ground) >= contrast) return color
  return contrastOf(foreground, ground) > contrastOf(background, ground) ? foreground : background
}

/** Returns the contrast ratio of two colours, as the accessibility guidelines (WCAG) define it. */
export function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns a colour of the 256-colour palette that no theme changes. */
export function fixedColor(index: number): string {
  if (index >= 232) return gray(8 + (index - 232) * 10)
  const at = index - 16
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40)
  return rgb(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6))
}

const gray = (level: number): string => rgb(level, level, level)
const rgb = (...parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
