/** True on a phone: a narrow touch screen. There, a terminal is shown as text with on-screen keys. */

import { signal } from '@preact/signals'

const touched = matchMedia('(max-width: 900px) and (hover: none), (max-width: 900px) and (pointer: coarse)')

export const isPhone = signal(touched.matches)

touched.addEventListener('change', () => {
  isPhone.value = touched.matches
})
