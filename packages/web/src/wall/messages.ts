/** What the page and the worker that draws its wall say to each other. */

import type { Theme } from './run-colors.ts'

/** One terminal on the wall. */
export interface TilePlace {
  readonly terminalId: string
  readonly cols: number
  readonly rows: number
}

export type ToWorker =
  /** The canvas is the worker's from then on. Its size in pixels. */
  | { readonly kind: 'add'; readonly place: TilePlace; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'size'; readonly terminalId: string; readonly width: number; readonly height: number }
  | { readonly kind: 'remove'; readonly terminalId: string }
  /** Those that somebody can see just now: nothing is asked for the others. */
  | { readonly kind: 'visible'; readonly terminalIds: readonly string[] }
  /** From one frame of a terminal to the next, in ms. */
  | { readonly kind: 'pace'; readonly ms: number }
  | { readonly kind: 'theme'; readonly theme: Theme }
  /** The network or the page is back: a connection is tried at once. */
  | { readonly kind: 'again' }
