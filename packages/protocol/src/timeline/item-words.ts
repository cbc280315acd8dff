import type { TimelineItem, TimelineItemOf } from './timeline-item.ts'

// Items of a timeline in words: the command line and the page say the same.

/** Returns the author of an item; `-` where it is not known. */
export function whoOf(item: TimelineItem): string {
  switch (item.kind) {
    case 'command':
      return 'shell'
    case 'typed':
      return item.isPerson ? 'person' : item.who
    case 'exit':
    case 'size':
      return 'terminal'
    default:
      return item.who ?? '-'
  }
}

export function whatOf(item: TimelineItem): string {
  switch (item.kind) {
    case 'command':
      return item.line.trim() === '' ? 'a command whose line is not known' : `$ ${item.line}`
    case 'typed':
      return `${item.outcome === 'done' || item.outcome === 'open' ? '' : `[${item.outcome}] `}${typedWords(item)}`
    case 'question':
      return `${item.state === 'open' ? 'waits for an answer' : 'answered'}${item.text === '' ? '' : `: ${item.text}`}`
    case 'approval': {
      const waited = item.waitedMs === undefined ? '' : ` after ${(item.waitedMs / 1_000).toFixed(1)} s`
      return `approval ${item.event}${waited}: ${item.text}`
    }
    case 'lease':
      return `${item.event === 'taken' ? 'took it over' : 'gave it back'}${item.text === undefined ? '' : `: ${item.text}`}`
    case 'task':
      return `task ${item.event}${item.text === undefined ? '' : `: ${item.text}`}`
    case 'kept':
      return `deleted or overwrote ${item.files} file${item.files === 1 ? '' : 's'} (undo ${item.id}): ${item.text}`
    case 'size':
      return `${item.cols}x${item.rows}`
    case 'exit':
      return `ended: ${item.signal ?? `exit code ${item.exitCode ?? '?'}`}`
  }
}

/** Leaves out the text that a person typed. */
function typedWords({ verb, text }: TimelineItemOf<'typed'>): string {
  if (text !== undefined) return `${verb}: ${text}`
  return verb === 'write' ? 'typed' : verb
}

/** How a command has ended, and how long it took. */
export function endOf({ at, timeUnknown, endedAt, exitCode }: TimelineItemOf<'command'>): string {
  if (endedAt === null) return '(runs)'
  const seconds = (endedAt - at) / 1_000
  const lasted = timeUnknown
    ? ', time unknown'
    : seconds < 1
      ? ''
      : seconds < 60
        ? `, ${seconds.toFixed(1)} s`
        : `, ${Math.round(seconds / 60)} min`
  return `(${exitCode === null ? 'no exit code' : `exit ${exitCode}`}${lasted})`
}

// Every bound of timelines.

/** How many items one answer may hold, and how many it has by default. */
export const timelineItemsMax = 500
export const timelineItemsDefault = 100
/** Bytes of the journal that one call reads, from its end backwards; the next one continues there. */
export const timelineReadBytesMax = 32 * 1_024 * 1_024
/** Bytes in one read: parsing them takes a few milliseconds. */
export const timelinePieceBytes = 64 * 1_024
/** Characters of a text in an item. */
export const timelineTextCharactersMax = 1_000
/** Bytes of the output before an answer that are searched for the question. */
export const questionLookBytes = 1_024
