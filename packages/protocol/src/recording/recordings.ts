/** The command line's interface to recordings. It reads their files without a daemon. */

import type { Millis, Size } from '../units.ts'

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
  readonly at: Millis
  /** Output, another size; whatever else there is. */
  readonly code: string
  readonly data: string
}

export interface CastMarker {
  readonly at: Millis
  readonly label: string
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
  /** Called during the work, with numbers from 0 to 1. */
  readonly progress: (share: number) => void
}

export interface RecordingsRoom {
  readonly folder: string
  /** The oldest first. */
  list(): readonly RecordingRow[]
  remove(row: RecordingRow): void
  /** Errors: `invalid_input` for what is no asciicast of version 2 or 3; `machine_unfit`; `limit_reached`. */
  open(source: CastSource): Cast
  screen(cast: Cast): CastScreen
  /** In pieces. Errors: `machine_unfit` for a GIF without the renderer. */
  export(cast: Cast, options: ExportOptions): AsyncIterable<string | Uint8Array>
}

/** Recordings that lie on the disk. */
export interface RecordingRow {
  /** That of the terminal. */
  readonly id: string
  readonly path: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly title: string | null
  readonly command: string | null
  readonly cols: number
  readonly rows: number
  readonly bytes: number
  /** From the first to the last event. */
  readonly seconds: number
  /** Exit code of the program, or the number of its signal and 128. Null where it has not ended, or its end was not observed. */
  readonly exitCode: number | null
  /** It was written to its end. */
  readonly isEnded: boolean
}

// Every bound of recordings.

const KiB = 1_024
const MiB = 1_024 * KiB

/** How long output waits until it is written down: what a killed daemon has not written is read again from ptyhost. */
export const recordingWriteMs: Millis = 100
/** Output taken down in one go, of each terminal: more waits in the terminal's own log. */
export const recordingPieceBytes = 256 * KiB
/** One recording, by default; an hour of a busy agent is some megabytes. */
export const recordingFileBytesDefault = 32 * MiB
export const recordingFileBytesMax = 1_024 * MiB
/** All recordings together, by default. */
export const recordingsBytesDefault = 1_024 * MiB
export const recordingsBytesMax = 1_024 * 1_024 * MiB
export const recordingAgeDaysDefault = 30
/** How often old recordings are looked for. */
export const recordingsSweepMs: Millis = 10 * 60_000
/** Input of one terminal that waits to be written down. */
export const recordedInputBytesMax = 64 * KiB
/** Characters of a command's line, in its marker. */
export const markerCharactersMax = 200

/** A recording that is played or exported: its file, and its events. */
export const castBytesMax = 256 * MiB
export const castEventsMax = 4_000_000
/** Its terminal, whatever its header says. */
export const castColsMax = 1_000
export const castRowsMax = 500

/** Recordings in one list: of more, the newest. */
export const keptRecordingsMax = 500
/** Bytes of a recording’s file, in one answer: with its escape sequences spelled out in JSON it stays below the limit of one message. */
export const keptPartBytesMax = MiB
/** No character is longer, so each part advances. */
export const keptPartBytesMin = 4 * KiB
/** Characters of a name and of a command in the list. */
export const keptWordsCharactersMax = 200
/** Files read in one go, while other calls wait: each takes a part of a millisecond. */
export const keptFilesInOneGo = 16

/** Pictures of one export: a minute at ten in a second; of more, fewer are drawn in a second. */
export const exportPicturesMax = 1_500
export const exportSvgBytesMax = 64 * MiB
export const exportGifBytesMax = 128 * MiB
export const exportHtmlBytesMax = 64 * MiB
/** Moments of a page, which are cheap where little changes. */
export const exportMomentsMax = 20_000
/** Markers that a caller puts into one recording. */
export const givenMarkersMax = 20_000

/** Recordings on the disk, for clients of the daemon: also of terminals that are gone. An id is one that the folder has, and no path. */
export interface KeptRecordings {
  /** The newest, the newest first; and how many there are besides. Errors: `machine_unfit`. */
  newest(max: number): Promise<{ readonly rows: readonly RecordingRow[]; readonly older: number }>
  /** Null where there is none. Errors: `machine_unfit`. */
  find(recordingId: string): RecordingRow | null
  /** Reads at most `maxBytes` from `from`; `end`: the present length. Null where there is no recording. Errors: `machine_unfit`. */
  read(
    recordingId: string,
    part: { readonly from: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly end: number } | null>
}
