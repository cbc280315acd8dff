/** What a person's keyboard sends, cut into keys. */

import { esc } from '@agentpty/protocol/escapes'

/** A key that sends a sequence, or one character. */
const oneKey = new RegExp(String.raw`${esc}(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]`, 'gu')

export function keysIn(text: string): readonly string[] {
  return text.match(oneKey) ?? []
}
