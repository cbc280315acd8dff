/** A recording as the text that a person would have read. */

import { renderText } from '@agentpty/engine/screen'
import type { Cast } from '@agentpty/protocol/recording'

/** Rendered in parts, each of which ends with a line, so that a day of output is not in memory twice. */
const partCharacters = 1_024 * 1_024

export async function* exportText({ events, cols }: Cast): AsyncGenerator<string> {
  let part = ''
  for (const { code, data } of events) {
    if (code !== 'o') continue
    part += data
    const end = part.lastIndexOf('\n') + 1
    if (part.length < partCharacters || end === 0) continue
    yield await rendered(part.slice(0, end), cols)
    part = part.slice(end)
  }
  yield await rendered(part, cols)
}

async function rendered(part: string, cols: number): Promise<string> {
  const lines = await renderText(Buffer.from(part), { cols })
  return lines.map(({ text }) => `${text}\n`).join('')
}
