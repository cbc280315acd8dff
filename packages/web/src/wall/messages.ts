/** The messages from the page to the worker that draws its wall. */

import type { Theme } from './run-colors.ts'

/** One terminal on the wall. */
export interface TilePlace {
  readonly terminalId: string
  readonly cols: number
  readonly rows: number
}

export type ToWorker =
  /** The first message: connects through the document with this address. */
  | { readonly kind: 'connect'; readonly page: string }
  /** Transfers the canvas to the worker. Sizes are in pixels. */
  | { readonly kind: 'add'; readonly place: TilePlace; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'size'; readonly terminalId: string; readonly width: number; readonly height: number }
  | { readonly kind: 'remove'; readonly terminalId: string }
  /** The terminals that are visible now. The others are not followed. */
  | { readonly kind: 'visible'; readonly terminalIds: readonly string[] }
  /** The time between two frames of a terminal, in ms. */
  | { readonly kind: 'pace'; readonly ms: number }
  | { readonly kind: 'theme'; readonly theme: Theme }
  /** The network or the page is back: reconnect immediately. */
  | { readonly kind: 'again' }
