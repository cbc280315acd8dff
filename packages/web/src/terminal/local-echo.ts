/**
 * Shows input before the terminal does, if the round trip is slow and the daemon reports echo. A wrong prediction disappears when the real
 * output arrives, and predictions stop until the next prompt. Secrets are never predicted: after each control character, such as Enter, it
 * waits for a later report of echo from the daemon.
 */

import type { Clock, Stop } from '@agentpty/protocol'
import type { EchoState } from '@agentpty/protocol/session'
import { EchoClock } from './echo-clock.ts'
import { PredictedLine, type Prediction, type ShownLine } from './predicted-line.ts'

export interface EchoScreen {
  readonly cols: number
  /** True on the alternate screen, or when scrolled up. */
  readonly isUnsuitable: boolean
  /** The row that contains the cursor. */
  line(): ShownLine
}

export interface LocalEchoParts {
  readonly clock: Clock
  readonly screen: EchoScreen
  /** Null: draws nothing. */
  readonly draw: (prediction: (Prediction & { readonly cursorCol: number }) | null) => void
}

/** The time programs need to echo a key: a constant, plus a share of the round trip. Later, no echo is expected. */
const graceMs = 100
const graceShare = 0.5
/** Longer input is pasted, or comes from an input method, and is not predicted. */
const predictedMax = 16
/** Letters that take one cell each. */
const letters = /^[\x20-\x7e\u00a1-\u02ff]+$/

export class LocalEcho {
  readonly #parts: LocalEchoParts
  readonly #echoClock = new EchoClock()
  #echoState: EchoState = { echoes: false, controls: 0 }
  /** The minimum of `controls` in a report that counts. */
  #controls = 0
  /** Control characters that are not typed yet. */
  #controlsSending = 0
  #line: PredictedLine | null = null
  #isWrong = false
  #sentAt: number | null = null
  /** Characters that are not typed yet. */
  #unsent = 0
  /** True if all input was typed and its effect is on the screen. */
  #isSettled = true
  #stop: Stop = () => {}

  constructor(parts: LocalEchoParts) {
    this.#parts = parts
  }

  /** Takes the echo state that the daemon reports. */
  update(state: EchoState): void {
    const before = this.#echoState
    this.#echoState = state
    if (state.controls !== before.controls || (state.echoes && !before.echoes)) this.#isWrong = false
    // Predictions made before Enter may still be confirmed.
    if (!state.echoes && state.controls === before.controls) this.#drop()
  }

  /** To be called before the text is sent. */
  typed(text: string): void {
    const controls = controlsIn(text)
    const wasOpen = this.#isOpen
    this.#unsent += text.length
    if (controls > 0) {
      this.#controls = Math.max(this.#controls, this.#echoState.controls) + controls
      this.#controlsSending += controls
    } else if (wasOpen) {
      if (this.#predict(text)) this.#draw()
      else this.#drop()
    }
    this.#isSettled = false
  }

  sending(): void {
    this.#sentAt = this.#parts.clock.now()
  }

  taken(text: string): void {
    const { clock } = this.#parts
    if (this.#sentAt !== null) this.#echoClock.measured(clock.now() - this.#sentAt)
    this.#sentAt = null
    this.#controlsSending = Math.max(0, this.#controlsSending - controlsIn(text))
    this.#unsent = Math.max(0, this.#unsent - text.length)
    this.#settleLater()
  }

  /** Drops all input that is not typed yet. */
  refused(): void {
    this.#sentAt = null
    this.#unsent = this.#controlsSending = 0
    this.#stopPredicting()
    this.#settleLater()
  }

  /** To be called after the screen has changed. */
  drawn(): void {
    if (this.#line === null) return
    if (this.#parts.screen.isUnsuitable) this.#drop()
    else if (this.#line.seen(this.#parts.screen.line())) this.#draw()
    else if (this.#line.pending > 0) this.#stopPredicting()
    else this.#drop()
  }

  /** To be called after a resize: positions have changed. */
  moved(): void {
    this.#drop()
  }

  /** To be called for a new connection: earlier reports do not count. */
  reset(): void {
    this.#echoState = { echoes: false, controls: 0 }
    this.#controls = 0
    this.#isWrong = false
    this.#drop()
  }

  dispose(): void {
    this.#stop()
    this.#drop()
  }

  get #isOpen(): boolean {
    const { echoes, controls } = this.#echoState
    const isAfterMine = this.#controlsSending === 0 && controls >= this.#controls
    return echoes && isAfterMine && !this.#isWrong && !this.#parts.screen.isUnsuitable
  }

  #predict(text: string): boolean {
    const { screen } = this.#parts
    const isTakenBack = text === '\x7f'
    if (!isTakenBack && (text.length > predictedMax || !letters.test(text))) return false
    if (this.#line === null) {
      const line = screen.line()
      // Text after the cursor would move, or is a suggestion. Input in flight is not on the screen yet.
      if (isTakenBack || !this.#isSettled || line.text.slice(line.col).trim() !== '') return false
      this.#line = new PredictedLine(line)
    }
    for (const letter of isTakenBack ? [null] : text) if (!this.#line.key(letter, screen.cols)) return false
    return true
  }

  #draw(): void {
    // Predictions are tracked on a fast connection, too, in case it becomes slow.
    const prediction = this.#echoClock.isSlow ? (this.#line?.prediction ?? null) : null
    this.#parts.draw(prediction === null ? null : { ...prediction, cursorCol: this.#line?.cursorCol ?? 0 })
  }

  #settleLater(): void {
    const { clock } = this.#parts
    this.#stop()
    if (this.#unsent > 0) return
    const ms = graceMs + graceShare * (this.#echoClock.averageMs ?? 0)
    this.#stop = clock.callAt(clock.now() + ms, () => {
      if (this.#unsent > 0) return
      this.#isSettled = true
      if (this.#line !== null && this.#line.pending > 0) this.#stopPredicting()
    })
  }

  #stopPredicting(): void {
    this.#isWrong = true
    this.#drop()
  }

  #drop(): void {
    this.#line = null
    this.#draw()
  }
}

/** Counts control characters as the daemon does. */
function controlsIn(text: string): number {
  let count = 0
  for (const character of text) if (character < ' ') count++
  return count
}
