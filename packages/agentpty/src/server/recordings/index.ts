/** Recordings of terminals and their exports. Other modules import this file alone. */

export { recordingHandlers } from './handlers.ts'
export { keptRecordings } from './kept-recordings.ts'
export { Recordings } from './recordings.ts'
export { recordingsRoom } from './recordings-room.ts'
