/**
 * Draws a recording at any of its moments, with the same terminal as the live view. Recorded output only affects the drawing: it triggers no
 * replies, key input or page titles. Loaded with the first recording that is opened.
 */

import { eventsUntil } from '@agentpty/protocol/recording'
import { TerminalView } from '@agentpty/terminal-view'
import { signal } from '@preact/signals'
import { terminalLook } from '../store/terminal-look.ts'
import { Keyframes, pieceFrom, written } from './keyframes.ts'
import type { LoadedRecording } from './load-recording.ts'

/** The work done before the view counts as behind: about 2 MB. */
const piecesBeforeBehind = 32

export class RecordedTerminal extends TerminalView {
  readonly #recording: LoadedRecording
  readonly #keyframes: Keyframes
  readonly #over = new AbortController()
  readonly #stopLook: () => void
  /** True while the view shows an earlier moment, because much output must be drawn first. */
  readonly isBehind = signal(false)
  /** The number of events drawn; -1 before the first keyframe. */
  #drawn = -1
  #target = 0
  #isDrawing = false

  constructor(parent: HTMLElement, recording: LoadedRecording) {
    super({ parent, mayType: false, typed: () => {}, leave: () => {}, pressed: () => false, scrollback: 0 })
    this.#stopLook = terminalLook.subscribe((look) => this.setLook(look))
    this.#recording = recording
    this.#keyframes = new Keyframes(recording)
    // Keys belong to the player around it.
    const { textarea } = this.terminal
    if (textarea !== undefined) textarea.disabled = true
    textarea?.setAttribute('aria-label', 'A recording takes no input.')
    void this.#keyframes.make(this.#over.signal)
  }

  showAt(at: number): void {
    this.#target = eventsUntil(this.#recording.events, at)
    if (!this.#isDrawing) void this.#draw()
  }

  override dispose(): void {
    this.#stopLook()
    this.#over.abort()
    super.dispose()
  }

  /** Draws up to the target, which may change between two pieces. */
  async #draw(): Promise<void> {
    this.#isDrawing = true
    for (let pieces = 0; !this.#over.signal.aborted && this.#drawn !== this.#target; pieces += 1) {
      this.isBehind.value = pieces >= piecesBeforeBehind
      await this.#drawPiece()
    }
    this.isBehind.value = false
    this.#isDrawing = false
  }

  async #drawPiece(): Promise<void> {
    const keyframe = this.#keyframes.before(this.#target)
    if (this.#target < this.#drawn || keyframe.next > this.#drawn) {
      this.#resize(keyframe.size)
      this.#drawn = keyframe.next
      await written(this.terminal, keyframe.text)
      return
    }
    const { text, size, next } = pieceFrom(this.#recording.events, this.#drawn, this.#target)
    this.#drawn = next
    if (text !== '') await written(this.terminal, text)
    if (size !== null) this.#resize(size)
  }

  #resize({ cols, rows }: { readonly cols: number; readonly rows: number }): void {
    if (this.terminal.cols !== cols || this.terminal.rows !== rows) this.terminal.resize(cols, rows)
  }
}
