export { endWords, needWords } from '../session/state-words.ts'
export {
  dueNeeds,
  type Entry,
  entryName,
  entryTone,
  entryWords,
  followOverview,
  holderWords,
  isGroup,
  isOver,
  nameOf,
  type Overview,
  type Row,
  rowWords,
  type Tone,
  toneOf,
} from './overview.ts'
export { aboveOf, type Below, kindsOf, type ShownRow, shownOf, subtreeOf, type TreeRow, treeOf } from './tree.ts'
