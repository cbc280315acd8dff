/** Recordings of terminals and their exports. Other modules import this file alone. */

export type { PlayedPage } from './exports/export-html.ts'
export { recordingHandlers } from './handlers.ts'
export { keptRecordings, recordingsRoom } from './kept-recordings.ts'
export { Recordings } from './recordings.ts'
