/**
 * Shows what is typed before the terminal does, where the way there and back is long and the daemon has said that it will be shown. A wrong
 * guess is gone when the truth comes, and nothing more is guessed until the next prompt. It never guesses at a secret: after every control
 * character, Enter above all, it waits until the daemon says again, of a moment after it, that letters are shown.
 */

import type { Clock, Stop } from '@agentpty/protocol'
import type { EchoState } from '@agentpty/protocol/session'
import { EchoClock } from './echo-clock.ts'
import { PredictedLine, type Prediction, type ShownLine } from './predicted-line.ts'

export interface EchoScreen {
  readonly cols: number
  /** The alternate screen, or rows from further up. */
  readonly isElsewhere: boolean
  /** The row of the cursor. */
  line(): ShownLine
}

export interface LocalEchoParts {
  readonly clock: Clock
  readonly screen: EchoScreen
  /** Null: nothing. */
  readonly draw: (prediction: (Prediction & { readonly cursorCol: number }) | null) => void
}

/** Programs echo within so much after they were given a key, and a line brings things later by a part of its time; what is not shown by then will not be. */
const [graceMs, graceShare] = [100, 0.5]
/** What comes at once is a word of an input method, or a paste. */
const atOnceMax = 16
/** One cell each. */
const letters = /^[\x20-\x7e\u00a1-\u02ff]+$/

export class LocalEcho {
  readonly #parts: LocalEchoParts
  readonly #echoClock = new EchoClock()
  #told: EchoState = { echoes: false, controls: 0 }
  /** What `controls` must have come to, so that it counts. */
  #controls = 0
  /** Control characters on their way. */
  #controlsSending = 0
  #line: PredictedLine | null = null
  #isWrong = false
  #sentAt: number | null = null
  /** Characters that were typed and not taken. */
  #unsent = 0
  /** All that was typed has been taken, and what it does is on the screen. */
  #isSettled = true
  #stop: Stop = () => {}

  constructor(parts: LocalEchoParts) {
    this.#parts = parts
  }

  /** As the daemon has it. */
  told(state: EchoState): void {
    const before = this.#told
    this.#told = state
    if (state.controls !== before.controls || (state.echoes && !before.echoes)) this.#isWrong = false
    // What was predicted before Enter is still to come.
    if (!state.echoes && state.controls === before.controls) this.#drop()
  }

  /** To be called before it is sent. */
  typed(text: string): void {
    const controls = controlsIn(text)
    const wasOpen = this.#isOpen
    this.#unsent += text.length
    if (controls > 0) {
      this.#controls = Math.max(this.#controls, this.#told.controls) + controls
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
    if (this.#sentAt !== null) this.#echoClock.took(clock.now() - this.#sentAt)
    this.#sentAt = null
    this.#controlsSending = Math.max(0, this.#controlsSending - controlsIn(text))
    this.#unsent = Math.max(0, this.#unsent - text.length)
    this.#settleLater()
  }

  /** Nothing of what was typed and not taken will be. */
  refused(): void {
    this.#sentAt = null
    this.#unsent = this.#controlsSending = 0
    this.#wrong()
    this.#settleLater()
  }

  /** The screen has come on. */
  drawn(): void {
    if (this.#line === null) return
    if (this.#parts.screen.isElsewhere) this.#drop()
    else if (this.#line.seen(this.#parts.screen.line())) this.#draw()
    else if (this.#line.pending > 0) this.#wrong()
    else this.#drop()
  }

  /** What stood somewhere stands elsewhere. */
  moved(): void {
    this.#drop()
  }

  /** Another connection: nothing of before counts. */
  reset(): void {
    this.#told = { echoes: false, controls: 0 }
    this.#controls = 0
    this.#isWrong = false
    this.#drop()
  }

  dispose(): void {
    this.#stop()
    this.#drop()
  }

  get #isOpen(): boolean {
    const { echoes, controls } = this.#told
    const isAfterMine = this.#controlsSending === 0 && controls >= this.#controls
    return echoes && isAfterMine && !this.#isWrong && !this.#parts.screen.isElsewhere
  }

  #predict(text: string): boolean {
    const { screen } = this.#parts
    const isTakenBack = text === '\x7f'
    if (!isTakenBack && (text.length > atOnceMax || !letters.test(text))) return false
    if (this.#line === null) {
      const line = screen.line()
      // What is behind the cursor would be moved, or is a proposal; and what is on its way is not in the screen yet.
      if (isTakenBack || !this.#isSettled || line.text.slice(line.col).trim() !== '') return false
      this.#line = new PredictedLine(line)
    }
    for (const letter of isTakenBack ? [null] : text) if (!this.#line.key(letter, screen.cols)) return false
    return true
  }

  #draw(): void {
    // On a fast line it is followed all the same: when it becomes slow, it is known what is on its way.
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
      if (this.#line !== null && this.#line.pending > 0) this.#wrong()
    })
  }

  #wrong(): void {
    this.#isWrong = true
    this.#drop()
  }

  #drop(): void {
    this.#line = null
    this.#draw()
  }
}

/** As the daemon counts them. */
function controlsIn(text: string): number {
  let count = 0
  for (const character of text) if (character < ' ') count++
  return count
}
