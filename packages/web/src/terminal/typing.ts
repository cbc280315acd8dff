/** Keys on their way to a terminal: in order, as few messages as the way there allows, and none is sent twice. */

import { base64Of } from '../../../agentpty/src/faces/wire/base64.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'

/** One message of a page holds at most 1 MiB; a paste goes in pieces. */
const pieceCharacters = 64 * 1_024
/** What waits to be sent; a paste that is larger is refused as a whole. */
const waitingCharactersMax = 8 * 1_024 * 1_024

export class Typing {
  readonly #terminalId: string
  readonly #client: () => WireClient | null
  readonly #failed: (error: unknown) => void
  #waiting = ''
  #isSending = false

  /** `failed`: what was on its way may have arrived or not; what waited behind it is dropped. */
  constructor(terminalId: string, client: () => WireClient | null, failed: (error: unknown) => void) {
    this.#terminalId = terminalId
    this.#client = client
    this.#failed = failed
  }

  /** False when nobody is there to take it, or it is too much. */
  type(text: string): boolean {
    if (this.#client() === null || this.#waiting.length + text.length > waitingCharactersMax) return false
    this.#waiting += text
    if (!this.#isSending) void this.#send()
    return true
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      for (let client = this.#client(); this.#waiting !== '' && client !== null; client = this.#client()) {
        const piece = firstOf(this.#waiting)
        this.#waiting = this.#waiting.slice(piece.length)
        const data = base64Of(new TextEncoder().encode(piece))
        await client.call('write', { terminalId: this.#terminalId, data })
      }
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#waiting = ''
      this.#isSending = false
    }
  }
}

/** Never half of a character that is two. */
function firstOf(text: string): string {
  const last = text.charCodeAt(pieceCharacters - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return text.slice(0, isHalf ? pieceCharacters - 1 : pieceCharacters)
}
