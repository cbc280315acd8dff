/** The links of the terminal that is shown, for the views around it. */

import { signal } from '@preact/signals'
import type { ShownLink } from './link-target.ts'

export interface HoveredLink {
  readonly terminalId: string
  readonly link: ShownLink
  /** It is in the lower half of the terminal, so the bar is above. */
  readonly isLow: boolean
}

/** The link below the mouse; null without one. */
export const hoveredLink = signal<HoveredLink | null>(null)
/** Reads the links of the visible screen; null without a terminal. */
export const readLinks = signal<(() => readonly ShownLink[]) | null>(null)
/** The links in the open dialog; null while it is closed. */
export const listedLinks = signal<readonly ShownLink[] | null>(null)
