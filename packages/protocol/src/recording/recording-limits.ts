/** Every bound of recordings. */

import type { Millis } from '../units.ts'

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
/** Of a command's line, in its marker. */
export const markerCharactersMax = 200

/** A recording that is played or exported: its file, and its events. */
export const castBytesMax = 256 * MiB
export const castEventsMax = 4_000_000
/** Its terminal, whatever its header says. */
export const castColsMax = 1_000
export const castRowsMax = 500

/** Recordings in one list: of more, the newest. */
export const keptRecordingsMax = 500
/** Of a recording’s file, in one answer: with its escape sequences spelled out in JSON it stays below what one message may have. */
export const keptPartBytesMax = MiB
/** No character is longer, so each part goes on. */
export const keptPartBytesMin = 4 * KiB
/** Of a name and of a command in the list. */
export const keptWordsCharactersMax = 200
/** Files looked at in one go, while others wait: each takes a part of a millisecond. */
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
