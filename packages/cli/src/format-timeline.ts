/** Items of a timeline for people: a line each, in which nothing that a program has printed can mislead. */

import { shownText } from '@agentpty/protocol/approvals'
import { endOf, type TimelineItem, whatOf, whoOf } from '@agentpty/protocol/timeline'
import { cell } from './table.ts'

const widthMax = 79
const whoWidth = 14

/** Days stand on lines of their own. */
export function timelineRows(
  items: readonly TimelineItem[],
  isoTime: (wall: number) => string,
  width = widthMax,
): readonly string[] {
  let day = ''
  return items.flatMap((item) => {
    const time = isoTime(item.at)
    const isSameDay = time.slice(0, 10) === day
    day = time.slice(0, 10)
    const begin = `${time.slice(11, 19)}  ${cell(plain(whoOf(item)), whoWidth).padEnd(whoWidth)}  `
    // Of a long command its end is what counts.
    const end = item.kind === 'command' ? `  ${endOf(item)}` : ''
    const row = `${begin}${cell(plain(whatOf(item)), width - begin.length - end.length)}${end}\n`
    return isSameDay ? [row] : [`${day}\n`, row]
  })
}

const plain = (text: string) => shownText(text.trim(), 2_000).replaceAll('\n', ' ⏎ ')
