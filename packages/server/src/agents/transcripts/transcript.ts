/** What an agent and its program have written down of their conversation. */

import type { Usage } from '@agentpty/protocol/agents'
import type { Fences } from '../fences.ts'
import type { Said } from './read-record.ts'

/** The texts of one message of a model. */
export interface Message {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

export interface Transcript {
  /** By what was read so far; null where it says nothing of it. */
  readonly usage: Usage | null
  /** Reads what has come. False where it is not there. */
  look(): Promise<boolean>
  /** The last answer between these fences, to the letter; null where it has none. */
  answer(fences: Fences): Promise<string | null>
  /** The last message of the agent since that time, in milliseconds since 1970; null without one. */
  lastMessage(since: number): Promise<Message | null>
}

/** Null for a record without a text or a time, and for one from before. */
export function messageIn(said: Said | undefined, since: number): Message | null {
  if (said === undefined || said.texts.length === 0 || said.at === null || said.at < since) return null
  return { at: said.at, text: said.texts.join('\n') }
}
