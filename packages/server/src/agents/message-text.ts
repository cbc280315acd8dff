/** Messages as the text that their receiver reads: who each is from, and that it is data. */

import { type Message, markedText } from '@agentpty/protocol/agents'

const nameCharactersMax = 60

type From = Pick<Message, 'from' | 'fromName'>
type Said = From & Pick<Message, 'kind' | 'text'>

/** @example senderInWords({ from: 'term-5', fromName: 'review' }) // 'review (term-5)' */
export function senderInWords({ from, fromName }: From): string {
  // Outside it is a program's own word: nothing of it may look like the end of a mark.
  const name = (fromName ?? '')
    .replaceAll(/[^\p{L}\p{N} ._@/-]+/gu, ' ')
    .trim()
    .slice(0, nameCharactersMax)
  if (from === null) return name === '' ? 'outside' : `${name}, outside of terminals`
  return name === '' ? from : `${name} (${from})`
}

/** As one text. Of one line where each is, for programs that read lines. */
export function messagesInWords(messages: readonly Said[], newNonce: () => string): string {
  const blank = messages.some(({ text }) => text.includes('\n')) ? '\n' : ' '
  return messages.map((message) => inWords(message, newNonce)).join(blank)
}

/** Whoever leads an agent instructs it: what steers is no data. */
function inWords({ kind, text, ...sender }: Said, newNonce: () => string): string {
  const who = senderInWords(sender)
  if (kind === 'steering') return `[from ${who}, who leads you: take this into account from now on] ${text}`
  return markedText(text, `message from ${who}`, newNonce())
}

/** Nothing that presses a key: line breaks and tabs are all that stays of control characters. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}
