/** The contents of push messages, which the service worker of the page reads: packages/web/src/push/worker.ts. */

import { createHash } from 'node:crypto'
import type { NotifyMessage } from '@agentpty/protocol/needs'
import {
  type PushMessage,
  type PushWording,
  pushPlainBytes,
  pushTextCharactersMax,
  pushTitleCharactersMax,
} from '@agentpty/protocol/page'

/** `brief` leaves out the terminal and its question. */
export function pushMessage({ type, need }: NotifyMessage, wording: PushWording, instance: string): PushMessage {
  const { needId, title, text } = need
  const shown =
    wording === 'brief'
      ? { title: 'agentpty', text: 'Something needs you.' }
      : { title: `${cut(title, pushTitleCharactersMax)} needs you`, text: cut(text, pushTextCharactersMax) }
  return {
    text: fitting(type === 'need' ? { type, needId, ...shown } : { type, needId }),
    topic: topicOf(needId, instance),
    // A device may deliver other messages late, to save its battery.
    urgency: type === 'need' ? 'high' : 'normal',
  }
}

export function testMessage(instance: string): PushMessage {
  const text = 'This is a test. Notifications arrive on this device.'
  return {
    text: JSON.stringify({ type: 'test', title: 'agentpty', text }),
    topic: topicOf('test', instance),
    urgency: 'high',
  }
}

/** The push service sees the topic: it says nothing about the need, and differs between servers. */
function topicOf(needId: string, instance: string): string {
  return createHash('sha256').update(`${instance} ${needId}`).digest('base64url').slice(0, topicCharacters)
}

const topicCharacters = 32

interface Content {
  readonly type: NotifyMessage['type']
  readonly needId: string
  readonly title?: string
  readonly text?: string
}

/** Control characters take six bytes each in JSON. */
function fitting(content: Content): string {
  const whole = JSON.stringify(content)
  if (Buffer.byteLength(whole) <= pushPlainBytes) return whole
  return JSON.stringify({ type: content.type, needId: content.needId, title: 'agentpty', text: 'Something needs you.' })
}

/** Control characters, and those that change the direction of the text around them. */
const notShown = /[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu

function cut(text: string, charactersMax: number): string {
  const characters = [...text.replaceAll(notShown, ' ').trim()]
  return characters.length <= charactersMax
    ? characters.join('')
    : `${characters.slice(0, charactersMax - 1).join('')}…`
}
