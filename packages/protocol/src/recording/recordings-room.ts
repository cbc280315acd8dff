/** What the command line does with recordings. It reads their files: no daemon is asked. */

import type { Millis, Size } from '../units.ts'
import type { RecordingRow } from './recordings.ts'

export type CastSource = { readonly path: string } | { readonly text: string }

/** A recording that was read. */
export interface Cast extends Size {
  readonly title: string | null
  readonly command: string | null
  /** Wall time of its beginning; null where it does not say. */
  readonly startedAt: number | null
  readonly durationMs: Millis
  readonly markers: readonly CastMarker[]
  readonly events: readonly CastEvent[]
}

export interface CastEvent {
  /** From the beginning. */
  readonly at: Millis
  /** Output, another size; whatever else there is. */
  readonly code: string
  readonly data: string
}

export interface CastMarker {
  readonly at: Millis
  readonly label: string
  /** A command begins here. */
  readonly isCommand: boolean
}

/** A terminal on which a recording is shown as it was at some time. */
export interface CastScreen {
  /** All that came until then is drawn. Going back draws it from the beginning. */
  showAt(at: Millis): Promise<void>
  readonly size: Size
  /** Rows of text and colours, of what a window of this size shows; and where the cursor is, null while it is hidden or outside. */
  rows(window: Size): {
    readonly rows: readonly string[]
    readonly cursor: { readonly row: number; readonly col: number } | null
  }
  close(): void
}

export const exportFormats = ['cast', 'txt', 'svg', 'gif', 'html'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportOptions {
  readonly format: ExportFormat
  readonly theme: 'dark' | 'light'
  readonly speed: number
  /** Longer rests are shortened to this. */
  readonly idleMs: Millis
  /** SVG: the last screen alone. */
  readonly isStill: boolean
  /** Called while it goes on, from 0 to 1. */
  readonly progress: (share: number) => void
}

export interface RecordingsRoom {
  readonly folder: string
  /** The oldest first. */
  list(): readonly RecordingRow[]
  remove(row: RecordingRow): void
  /** Errors: `invalid_input` for what is no asciicast of version 2 or 3; `environment`; `limit_reached`. */
  open(source: CastSource): Cast
  screen(cast: Cast): CastScreen
  /** In pieces. Errors: `environment` for a GIF without the renderer. */
  export(cast: Cast, options: ExportOptions): AsyncIterable<string | Uint8Array>
}
