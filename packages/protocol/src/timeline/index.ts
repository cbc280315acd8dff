export {
  endOf,
  questionLookBytes,
  timelineItemsDefault,
  timelineItemsMax,
  timelinePieceBytes,
  timelineReadBytesMax,
  timelineTextCharactersMax,
  whatOf,
  whoOf,
} from './item-words.ts'
export { TimelineItem, type TimelineItemOf } from './timeline-item.ts'
