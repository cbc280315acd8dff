/** Codes that sign a browser in: each is good once and for a short time. Only their hashes are kept, and only in memory. */

import { createHash, randomBytes } from 'node:crypto'
import { type Clock, type Millis, type Stop, TermError } from '@agentpty/protocol'
import { type DeviceAccess, signInCodesMax, wrongCodesMax, wrongCodesMs } from '@agentpty/protocol/page'

/** What the device gets that comes with the code. */
export interface Invitation {
  readonly access: DeviceAccess
  readonly forMs: Millis | null
}

interface OpenCode extends Invitation {
  readonly stopTimer: Stop
  /** It was used, has expired, or made room. */
  readonly gone: () => void
}

const codeBytes = 16

export class SignInCodes {
  readonly #clock: Pick<Clock, 'now' | 'callAt'>
  readonly #codeMs: Millis
  /** By the hash of the code, the oldest first. */
  readonly #open = new Map<string, OpenCode>()
  /** When codes were given that are none. */
  #wrong: Millis[] = []

  constructor(clock: Pick<Clock, 'now' | 'callAt'>, codeMs: Millis) {
    this.#clock = clock
    this.#codeMs = codeMs
  }

  /** `gone` is called when nobody can use it any more. */
  make(invitation: Invitation, gone: () => void): string {
    const code = randomBytes(codeBytes).toString('base64url')
    const key = hashOf(code)
    const stopTimer = this.#clock.callAt(this.#clock.now() + this.#codeMs, () => this.#take(key))
    this.#open.set(key, { ...invitation, stopTimer, gone })
    const [oldest] = this.#open.keys()
    if (this.#open.size > signInCodesMax && oldest !== undefined) this.#take(oldest)
    return code
  }

  /** Errors: `denied` for what is no code, or none any more; `limit_reached` after many of those. */
  use(code: string): Invitation {
    const now = this.#clock.now()
    this.#wrong = this.#wrong.filter((at) => now - at < wrongCodesMs)
    if (this.#wrong.length >= wrongCodesMax)
      throw new TermError('limit_reached', 'Too many wrong codes.', 'Wait a minute, then run: agentpty open')
    const found = this.#take(hashOf(code))
    if (found !== null) return found
    this.#wrong.push(now)
    throw new TermError(
      'denied',
      'This code was used already, has expired, or never was one.',
      'Run agentpty open again: each code is good once, and for a minute.',
    )
  }

  /** None is good any more. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.#take(key)
  }

  #take(key: string): Invitation | null {
    const found = this.#open.get(key)
    if (found === undefined) return null
    this.#open.delete(key)
    found.stopTimer()
    found.gone()
    return { access: found.access, forMs: found.forMs }
  }
}

/** Looked up by its hash: how long that takes tells nothing of the code. */
const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url')
