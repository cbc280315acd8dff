export { type CastCode, castHeader, castLine, sizeText } from './cast-lines.ts'
export { firstShownMs } from './first-shown.ts'
export type { KeptRecordings } from './kept-recordings.ts'
export { eventsUntil, PlayClock } from './play-clock.ts'
export { fasterThan, idleMsDefault, lasted, markAfter, markBefore, playSpeeds, seekMs, slowerThan } from './playing.ts'
export { commandMark, readCast, sizeOf } from './read-cast.ts'
export {
  castBytesMax,
  castEventsMax,
  exportGifBytesMax,
  exportHtmlBytesMax,
  exportMomentsMax,
  exportPicturesMax,
  exportSvgBytesMax,
  givenMarkersMax,
  keptFilesInOneGo,
  keptRecordingsMax,
  keptWordsCharactersMax,
  markerCharactersMax,
  recordedInputBytesMax,
  recordingPieceBytes,
  recordingsSweepMs,
  recordingWriteMs,
} from './recording-limits.ts'
export type { RecordingRow } from './recordings.ts'
export {
  type Cast,
  type CastEvent,
  type CastMarker,
  type CastScreen,
  type CastSource,
  type ExportFormat,
  type ExportOptions,
  exportFormats,
  type RecordingsRoom,
} from './recordings-room.ts'
