/** The messages from the page to the worker that draws its wall. */

import type { Theme } from './run-colors.ts'

/** One terminal on the wall. */
export interface TilePlace {
  readonly terminalId: string
  readonly cols: number
  readonly rows: number
}

/** The size of a canvas, in its pixels. */
export interface TileSize {
  readonly width: number
  readonly height: number
  /** The pixels for each CSS pixel. */
  readonly scale: number
}

export type ToWorker =
  /** The first message: connects through the document with this address. */
  | { readonly kind: 'connect'; readonly page: string }
  /** Transfers the canvas to the worker. */
  | { readonly kind: 'add'; readonly place: TilePlace; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'size'; readonly terminalId: string; readonly size: TileSize }
  /** True: tiles show whole screens; false: the last rows in letters that can be read. */
  | { readonly kind: 'whole'; readonly isWhole: boolean }
  | { readonly kind: 'remove'; readonly terminalId: string }
  /** The terminals that are visible now. The others are not followed. */
  | { readonly kind: 'visible'; readonly terminalIds: readonly string[] }
  /** The time between two frames of a terminal, in ms. */
  | { readonly kind: 'pace'; readonly ms: number }
  | { readonly kind: 'theme'; readonly theme: Theme }
  /** The network or the page is back: reconnect immediately. */
  | { readonly kind: 'again' }
