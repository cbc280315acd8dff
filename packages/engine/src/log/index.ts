export { type CastProgress, nothingBefore, statusOf, stepsIn, writeAsciicast, writeCast } from './asciicast.ts'
export {
  collapseEqual,
  collapseSimilar,
  cutFirstRun,
  cutLastRun,
  findNotableLines,
  fitLines,
  formatFitted,
  headLinesIn,
} from './head-tail.ts'
export { countInvalidBytes, OutputLog, withBrokenEnd } from './output-log.ts'
