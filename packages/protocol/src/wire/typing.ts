/**
 * Keys on their way to a terminal: in order, each once. What is written has a number and is kept until it was taken; after a lost
 * connection it is written again under the same number, by which the other end knows what it has. What is typed meanwhile goes with the
 * next write.
 */

import type { Client } from '../client.ts'
import { isTermError } from '../errors.ts'
import { base64Of } from './wire.ts'

/** One message holds at most 1 MiB; a paste is sent in pieces. */
const pieceCharacters = 64 * 1_024
/** Limit of text that waits without a connection. */
const disconnectedCharactersMax = 64 * 1_024
/** Limit of text that waits to be sent; a paste that is larger is refused as a whole. */
const waitingCharactersMax = 8 * 1_024 * 1_024
/** Ctrl+C, Ctrl+Z and Ctrl+\ do not wait for a program to read what was typed before them. */
const interrupts: readonly string[] = ['\x03', '\x1a', '\x1c']

/** The connection of a face that opens one again when it is lost; null while there is none. A signal of the page is one. */
export interface OpenClient {
  peek(): Pick<Client, 'call'> | null
  /** The listener receives the current client immediately, and then each change. Returns a function that stops it. */
  subscribe(listener: (client: Pick<Client, 'call'> | null) => void): () => void
}

export interface TypingParts {
  readonly terminalId: string
  readonly client: OpenClient
  /** It was not typed, and neither was what waited behind it. */
  readonly refused: (error: unknown) => void
  /** Something is to be known of what was typed. */
  readonly noted: (note: string) => void
  /** Called with the text that is being sent now. */
  readonly sending?: (text: string) => void
  /** Called with text that has reached the terminal; in order, but for interrupts. */
  readonly taken?: (text: string) => void
}

export class Typing {
  readonly #parts: TypingParts
  readonly #keys = new NumberedWriter()
  readonly #interrupts = new NumberedWriter()
  #waiting = ''
  #isSending = false

  constructor(parts: TypingParts) {
    this.#parts = parts
  }

  /** False when it is too much, and nothing of it was taken. */
  type(text: string): boolean {
    const isConnected = this.#parts.client.peek() !== null
    if (isConnected && this.#isSending && interrupts.includes(text)) {
      void this.#sendInterrupt(text)
      return true
    }
    const most = isConnected ? waitingCharactersMax : disconnectedCharactersMax
    if (this.#waiting.length + text.length > most) return false
    this.#waiting += text
    if (!this.#isSending) void this.#send()
    return true
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      while (this.#waiting !== '') {
        const piece = firstOf(this.#waiting)
        this.#waiting = this.#waiting.slice(piece.length)
        this.#parts.sending?.(piece)
        await this.#keys.write(this.#parts, piece)
        this.#parts.taken?.(piece)
      }
    } catch (error) {
      this.#waiting = ''
      this.#parts.refused(error)
    } finally {
      this.#isSending = false
    }
  }

  async #sendInterrupt(key: string): Promise<void> {
    try {
      await this.#interrupts.write(this.#parts, key)
      this.#parts.taken?.(key)
    } catch (error) {
      this.#parts.refused(error)
    }
  }
}

class NumberedWriter {
  readonly #writer = randomNumber()
  #last = 0

  /** Resolves once it was taken, over as many connections as that needs. Errors: those of `write` besides `daemon_gone`. */
  async write({ terminalId, client, noted }: TypingParts, text: string): Promise<void> {
    const data = base64Of(new TextEncoder().encode(text))
    const numbered = { writer: this.#writer, number: ++this.#last }
    let lost: Pick<Client, 'call'> | null = null
    for (;;) {
      const open = await nextOf(client, lost)
      try {
        const { note } = await open.call('write', { terminalId, data, numbered })
        if (note !== undefined) noted(note)
        return
      } catch (error) {
        if (!isTermError(error) || error.code !== 'daemon_gone') throw error
        lost = open
      }
    }
  }
}

/** Resolves to the connection, once there is another one than the lost one. */
function nextOf(client: OpenClient, lost: Pick<Client, 'call'> | null): Promise<Pick<Client, 'call'>> {
  return new Promise((resolve) => {
    let isDone = false
    let stop = () => {}
    stop = client.subscribe((open) => {
      if (isDone || open === null || open === lost) return
      isDone = true
      resolve(open)
      stop()
    })
    // It may have been there from the start, before there was anything to stop.
    if (isDone) stop()
  })
}

/** From 1 to the largest whole number. */
function randomNumber(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high % 2 ** 21) * 2 ** 32 + low || 1
}

/** Never half of a character that is two. */
function firstOf(text: string): string {
  const last = text.charCodeAt(pieceCharacters - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return text.slice(0, isHalf ? pieceCharacters - 1 : pieceCharacters)
}
