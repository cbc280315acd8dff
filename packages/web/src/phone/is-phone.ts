/** Whether this is a phone: a narrow screen that is touched. There a terminal is text, and keys are on the screen. */

import { signal } from '@preact/signals'

const touched = matchMedia('(max-width: 900px) and (hover: none), (max-width: 900px) and (pointer: coarse)')

export const isPhone = signal(touched.matches)

touched.addEventListener('change', () => {
  isPhone.value = touched.matches
})
