export { endOf, whatOf, whoOf } from './item-words.ts'
export { TimelineItem, type TimelineItemOf } from './timeline-item.ts'
export {
  questionLookBytes,
  timelineItemsDefault,
  timelineItemsMax,
  timelinePieceBytes,
  timelineReadBytesMax,
  timelineTextCharactersMax,
} from './timeline-limits.ts'
