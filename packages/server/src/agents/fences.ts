/** The texts between which an agent is asked to answer. Each task has its own: an answer of an earlier one is never taken for it. */

import { randomBytes } from 'node:crypto'

export interface Fences {
  readonly open: string
  readonly close: string
}

/** Letters and digits that are not mistaken for each other, neither by persons nor by models. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const nonceCharacters = 8

export function newNonce(): string {
  return [...randomBytes(nonceCharacters)].map((byte) => alphabet[byte % alphabet.length]).join('')
}

/** Words without signs: programs that draw Markdown leave them as they are. */
export function fencesOf(nonce: string): Fences {
  return { open: `BEGIN-RESPONSE-${nonce}`, close: `END-RESPONSE-${nonce}` }
}

/** Those of termtile, which everybody knows and any program can print. */
export const plainFences: Fences = { open: '[termtile-response]', close: '[/termtile-response]' }

/** First characters by which programs of agents take a text for a command of theirs: `/clear`, `!ls`, `# a note`. */
const commandStart = /^\s*[/!#$@?:&]/

/** The task with the request for fences behind it: programs name a conversation after its first words. */
export function withFenceRequest(task: string, fences: Fences): string {
  return `${commandStart.test(task) ? 'Task: ' : ''}${task}\n\n${fenceRequest(fences)}`
}

export function fenceRequest({ open, close }: Fences): string {
  return `IMPORTANT: When you are completely finished, put ONLY your final answer between a line ${open} and a line ${close} in your last message, and nothing outside of them.`
}
