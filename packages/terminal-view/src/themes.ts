/**
 * The colours and the font of terminals. The daemon answers programs that ask for the colours of the terminal with light text on black.
 * All themes are therefore dark, also on a light page. All colours but black are readable on the background of their theme.
 */

import type { ITheme } from '@xterm/xterm'

/** The look of terminals: their theme, the least contrast of text, the font, and its size in pixels. */
export interface TerminalLook {
  readonly theme: ITheme
  readonly contrast: number
  readonly fontFamily: string
  readonly fontSize: number
}

/** `font`: the name of an installed font, without quotes; empty for the usual ones. */
export interface LookOptions {
  readonly isHighContrast?: boolean
  readonly font?: string
  readonly fontSize?: number
}

const usualFontSize = 14
const usualFonts =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace'

/** The least contrast ratio of text in the accessibility guidelines (WCAG): level AA, and level AAA for high contrast. */
const readable = 4.5
const wellReadable = 7

export function lookOf({
  isHighContrast = false,
  font = '',
  fontSize = usualFontSize,
}: LookOptions = {}): TerminalLook {
  return {
    theme: isHighContrast ? contrastTheme : darkTheme,
    contrast: isHighContrast ? wellReadable : readable,
    fontFamily: font === '' ? usualFonts : `"${font}", ${usualFonts}`,
    fontSize,
  }
}

const darkTheme: ITheme = {
  background: '#15161a',
  foreground: '#e4e4e7',
  cursor: '#8fd6b4',
  cursorAccent: '#15161a',
  selectionBackground: '#3a4a63',
  black: '#3a3d46',
  red: '#f2777a',
  green: '#7fcf9f',
  yellow: '#e6c07b',
  blue: '#7fb0f5',
  magenta: '#cf9af0',
  cyan: '#6fcbd6',
  white: '#d4d4d8',
  brightBlack: '#868a96',
  brightRed: '#ff9a9c',
  brightGreen: '#9fe3ba',
  brightYellow: '#f5d799',
  brightBlue: '#a5c8fb',
  brightMagenta: '#e0bbf7',
  brightCyan: '#98e1ea',
  brightWhite: '#fafafa',
}

const contrastTheme: ITheme = {
  background: '#000000',
  foreground: '#ffffff',
  cursor: '#ffff00',
  cursorAccent: '#000000',
  selectionBackground: '#0050c8',
  black: '#4a4a4a',
  red: '#ff8a8a',
  green: '#5ff08f',
  yellow: '#ffd75f',
  blue: '#8ab8ff',
  magenta: '#f0a0ff',
  cyan: '#5fe8f5',
  white: '#e8e8e8',
  brightBlack: '#a8a8a8',
  brightRed: '#ffb3b3',
  brightGreen: '#a8ffc4',
  brightYellow: '#ffeaa0',
  brightBlue: '#b8d4ff',
  brightMagenta: '#f8ccff',
  brightCyan: '#b0f6ff',
  brightWhite: '#ffffff',
}
