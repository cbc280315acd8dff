import { expect, test } from 'vitest'
import { type Color, plain } from './row-runs.ts'
import { colorsOf, contrastOf, themeOf } from './run-colors.ts'

const themes = [
  ['dark', themeOf(), 4.5],
  ['high contrast', themeOf({ isHighContrast: true }), 7],
] as const

test.each(themes)('text in each of the sixteen colours is readable in the theme: %s', (_name, theme, least) => {
  const contrasts = theme.palette.map((_, color) => {
    const [text, ground] = colorsOf({ ...plain, foreground: color }, theme)
    return contrastOf(text, ground)
  })
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(least)
})

test.each(themes)('all colours but black have that contrast unchanged in the theme: %s', (_name, theme, least) => {
  const [, ...colors] = theme.palette
  for (const color of colors) expect([color, contrastOf(color, theme.background) >= least]).toEqual([color, true])
})

test.each<[string, Color, Color, boolean]>([
  ['black on a white area', 0, '#ffffff', false],
  ['white on a white area', 15, '#ffffff', false],
  ['dark blue on the background', '#0000aa', null, false],
  ['green on a green area, inverse', 2, '#2f7f4f', true],
])('%s is readable', (_what, foreground, background, isInverse) => {
  for (const [, theme] of themes) {
    const [text, ground] = colorsOf({ ...plain, foreground, background, isInverse }, theme)
    expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5)
  }
})
