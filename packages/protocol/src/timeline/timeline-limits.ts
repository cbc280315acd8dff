/** Every bound of timelines. */

/** How many items one answer may hold, and how many it has by default. */
export const timelineItemsMax = 500
export const timelineItemsDefault = 100
/** Of the journal one call reads so much, from its end backwards; the next one goes on there. */
export const timelineReadBytesMax = 32 * 1_024 * 1_024
/** Read at once: what is parsed of it in one go takes few milliseconds. */
export const timelinePieceBytes = 64 * 1_024
/** Of a text in an item. */
export const timelineTextCharactersMax = 1_000
/** Of the output before an answer, what is looked at for the question. */
export const questionLookBytes = 1_024
