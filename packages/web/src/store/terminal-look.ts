/** The look of terminals that the person has chosen. Loaded with the first view that draws one. */

import { type LookOptions, lookOf } from '@agentpty/terminal-view/themes'
import { computed } from '@preact/signals'
import { themeOf } from '../wall/run-colors.ts'
import { appearance, isHighContrast } from './appearance.ts'

const lookOptions = computed((): LookOptions => {
  const { font, fontSize } = appearance.value
  return { isHighContrast: isHighContrast.value, font, ...(fontSize === null ? {} : { fontSize }) }
})
/** The look of terminals that an emulator draws. */
export const terminalLook = computed(() => lookOf(lookOptions.value))
/** The colours of terminals that the page draws itself. */
export const terminalTheme = computed(() => themeOf(lookOptions.value))
