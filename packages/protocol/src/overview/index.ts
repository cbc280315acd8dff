export { dueNeeds } from './due.ts'
export { type Entry, entryName, entryTone, entryWords, isGroup, isOver } from './entry.ts'
export {
  followOverview,
  holderWords,
  nameOf,
  type Overview,
  type Row,
  rowWords,
  type Tone,
  toneOf,
} from './overview.ts'
export { aboveOf, type Below, kindsOf, type ShownRow, shownOf, subtreeOf, type TreeRow, treeOf } from './tree.ts'
