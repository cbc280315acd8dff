/** Output as searchable text: escape sequences and carriage returns gone, every line feed kept, nothing else changed. */

import { sequence } from '@agentpty/protocol/escapes'

/** Control characters but tab and line feed go as well. */
const unsearched = new RegExp(String.raw`${sequence}|[\x00-\x08\x0b-\x1f\x7f]`, 'g')

const decoder = new TextDecoder()

export function searchableText(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(unsearched, '')
}
