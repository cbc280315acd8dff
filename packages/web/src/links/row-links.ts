/** The links in rows of frames: hyperlinks of programs, addresses, and files with a line. A link ends with its row. */

import { runsOf } from '../wall/row-runs.ts'
import { linksIn } from './find-links.ts'
import type { ShownLink } from './link-target.ts'
import { targetOf } from './link-target.ts'

/** Returns each target once, in the order of the rows. */
export function linksInRows(rows: readonly string[]): readonly ShownLink[] {
  return onceEach(rows.flatMap((row) => [...markedIn(row), ...namedIn(row)]))
}

export function onceEach(links: readonly ShownLink[]): readonly ShownLink[] {
  const byTarget = new Map<string, ShownLink>()
  for (const link of links) {
    const key = JSON.stringify(link.target)
    if (!byTarget.has(key)) byTarget.set(key, link)
  }
  return [...byTarget.values()]
}

/** Neighbouring runs with the same target are one link. */
function markedIn(row: string): readonly ShownLink[] {
  const links: { text: string; address: string; end: number }[] = []
  for (const { text, link, col, width } of runsOf(row)) {
    if (link === null) continue
    const last = links.at(-1)
    if (last?.address === link && last.end === col) Object.assign(last, { text: last.text + text, end: col + width })
    else links.push({ text, address: link, end: col + width })
  }
  return links.map(({ text, address }) => ({ text, target: targetOf(address) }))
}

function namedIn(row: string): readonly ShownLink[] {
  // An address in the text of a hyperlink is no link of its own.
  const text = runsOf(row)
    .map((run) => (run.link === null ? run.text : ' '.repeat(run.text.length)))
    .join('')
  return linksIn(text).map(({ start, length, target }) => ({ text: text.slice(start, start + length), target }))
}
