/** The person's choice of theme, and of the font of terminals. The browser stores it. */

import { computed, effect, signal } from '@preact/signals'

export const themeChoices = ['system', 'light', 'dark', 'contrast'] as const
export type ThemeChoice = (typeof themeChoices)[number]

export const themeWords: Readonly<Record<ThemeChoice, string>> = {
  system: 'Like the system',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
}

export interface Appearance {
  readonly theme: ThemeChoice
  /** The name of an installed font for terminals; empty for the usual ones. */
  readonly font: string
  /** The size of letters in terminals, in pixels; null for the usual size. */
  readonly fontSize: number | null
}

export const usualAppearance: Appearance = { theme: 'system', font: '', fontSize: null }

/** Smaller letters cannot be read; larger ones show few rows. */
export const fontSizeMin = 8
export const fontSizeMax = 32
const fontCharactersMax = 60
const storageKey = 'appearance'

/** True while the dialog that changes it is open. */
export const isAppearanceOpen = signal(false)
export const appearance = signal<Appearance>(readAppearance())
/** True if the system asks for more contrast. */
const wantsContrast = signal(false)
export const isHighContrast = computed(
  () => appearance.value.theme === 'contrast' || (appearance.value.theme === 'system' && wantsContrast.value),
)
/** Returns the stored appearance; each part that is missing or invalid is the usual one. */
export function parseAppearance(text: string | null): Appearance {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    const { theme, font, fontSize } = { ...(stored as Partial<Record<keyof Appearance, unknown>> | null) }
    return {
      theme: themeChoices.find((one) => one === theme) ?? usualAppearance.theme,
      font: typeof font === 'string' ? fontName(font) : usualAppearance.font,
      fontSize: typeof fontSize === 'number' ? withinSizes(fontSize) : usualAppearance.fontSize,
    }
  } catch {
    // Stored by another version.
    return usualAppearance
  }
}

/** Only characters that end no string of a style sheet are kept. */
export function fontName(typed: string): string {
  return typed
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .trim()
    .slice(0, fontCharactersMax)
}

export function withinSizes(size: number): number {
  return Math.min(fontSizeMax, Math.max(fontSizeMin, Math.round(size)))
}

export function changeAppearance(change: Partial<Appearance>): void {
  appearance.value = { ...appearance.peek(), ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(appearance.peek()))
  } catch {
    // The browser stores nothing: the choice lasts for the lifetime of the page.
  }
}

/** Applies the choice to the page from now on, also changes by other tabs. To be called before anything is drawn. */
export function startAppearance(): void {
  const contrast = matchMedia('(prefers-contrast: more)')
  const dark = matchMedia('(prefers-color-scheme: dark)')
  wantsContrast.value = contrast.matches
  contrast.addEventListener('change', () => {
    wantsContrast.value = contrast.matches
  })
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey) appearance.value = parseAppearance(newValue)
  })
  dark.addEventListener('change', colorFrame)
  effect(() => {
    const { theme, font, fontSize } = appearance.value
    const { dataset, style } = document.documentElement
    dataset['theme'] = isHighContrast.value ? 'contrast' : theme
    style.setProperty('--terminal-font', font === '' ? 'var(--mono)' : `"${font}", var(--mono)`)
    if (fontSize === null) style.removeProperty('--terminal-size')
    else style.setProperty('--terminal-size', `${fontSize}px`)
    colorFrame()
  })
}

/** Gives the browser's own frame, as on phones, the colour of the page. */
function colorFrame(): void {
  const { backgroundColor } = getComputedStyle(document.body)
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.content = backgroundColor
}

function readAppearance(): Appearance {
  try {
    return parseAppearance(localStorage.getItem(storageKey))
  } catch {
    // A browser without storage.
    return usualAppearance
  }
}
