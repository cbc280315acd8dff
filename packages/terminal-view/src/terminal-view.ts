/**
 * One terminal in a browser: an emulator at the size of its program, scaled to the available space. It does not know the daemon: its owner
 * writes the output to it and receives the input.
 */

import { boundEmulator } from '@agentpty/engine/emulator'
import { noneDropped } from '@agentpty/protocol/session'
import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal } from '@xterm/xterm'
import { withoutAnswers } from './no-answers.ts'
import { markStyles } from './style-nonce.ts'
import { lookOf, type TerminalLook } from './themes.ts'

/** A size in cells. */
export interface ViewSize {
  readonly cols: number
  readonly rows: number
}

export interface TerminalViewOptions {
  readonly parent: HTMLElement
  readonly mayType: boolean
  /** Receives the input that the emulator makes of keys, pastes and the mouse. */
  readonly typed: (text: string) => void
  /** Receives each key before the emulator. Returning `false` hides it from the emulator. */
  readonly pressed?: (event: KeyboardEvent) => boolean
  /** Called for Ctrl+Shift+Escape. */
  readonly leave: () => void
  readonly titled?: (title: string) => void
  /** The colours and the font. Its size is the largest; letters are smaller if the screen needs it. */
  readonly look?: TerminalLook
  /** The scrollback, in rows. */
  readonly scrollback?: number
  /** The element grows with the screen; otherwise the font shrinks until all rows fit. */
  readonly growsDown?: boolean
}

const fontSizeMin = 5
const usualScrollback = 5_000
let isMarked = false

export class TerminalView {
  /** The emulator; output is written to it. */
  readonly terminal: Terminal
  readonly #options: TerminalViewOptions
  readonly #fit = new FitAddon()
  readonly #resizes: ResizeObserver
  #look: TerminalLook

  constructor(options: TerminalViewOptions) {
    if (!isMarked) markStyles()
    isMarked = true
    this.#options = options
    const { parent, mayType, look = lookOf(), scrollback = usualScrollback } = options
    this.#look = look
    this.terminal = new Terminal({
      allowProposedApi: true,
      fontFamily: look.fontFamily,
      fontSize: look.fontSize,
      disableStdin: !mayType,
      scrollback,
      minimumContrastRatio: look.contrast,
      macOptionIsMeta: true,
      theme: look.theme,
    })
    this.terminal.loadAddon(new UnicodeGraphemesAddon())
    this.terminal.unicode.activeVersion = '15-graphemes'
    this.terminal.loadAddon(this.#fit)
    withoutAnswers(this.terminal.parser)
    boundEmulator(this.terminal, noneDropped())
    this.terminal.open(parent)
    this.terminal.textarea?.setAttribute('aria-label', 'Terminal input. Ctrl+Shift+Escape leaves the terminal.')
    this.#listen()
    this.#resizes = new ResizeObserver(() => this.#scale())
    this.#resizes.observe(parent)
  }

  focus(): void {
    this.terminal.focus()
  }

  setLook(look: TerminalLook): void {
    this.#look = look
    const { theme, contrast: minimumContrastRatio, fontFamily, fontSize } = look
    this.terminal.options = { theme, minimumContrastRatio, fontFamily, fontSize }
    this.#scale()
  }

  /** Returns the size that fills the element with the usual font size. */
  proposedSize(): ViewSize | null {
    const now = this.terminal.options.fontSize
    this.terminal.options.fontSize = this.#look.fontSize
    const size = this.#fit.proposeDimensions()
    this.terminal.options.fontSize = now ?? this.#look.fontSize
    return size === undefined || Number.isNaN(size.cols) ? null : { cols: size.cols, rows: size.rows }
  }

  dispose(): void {
    this.#resizes.disconnect()
    this.terminal.dispose()
  }

  #listen(): void {
    const { typed, pressed, leave, titled } = this.#options
    // Focus reports concern this page only, not the program.
    this.terminal.onData((text) => text !== '\x1b[I' && text !== '\x1b[O' && typed(text))
    this.terminal.onBinary(typed)
    if (titled !== undefined) this.terminal.onTitleChange(titled)
    this.terminal.onResize(() => this.#scale())
    this.terminal.attachCustomKeyEventHandler((event) => {
      const { key, ctrlKey, shiftKey, type } = event
      const isLeaving = key === 'Escape' && ctrlKey && shiftKey
      if (isLeaving && type === 'keydown') leave()
      // With a selection, the browser copies; without one, the key goes to the program.
      const isCopying = ctrlKey && shiftKey && key.toLowerCase() === 'c' && this.terminal.hasSelection()
      if (isCopying && type === 'keydown') {
        event.preventDefault()
        void navigator.clipboard.writeText(this.terminal.getSelection())
      }
      if (isLeaving || isCopying || (ctrlKey && shiftKey && key.toLowerCase() === 'v')) return false
      return pressed?.(event) !== false
    })
  }

  /** Shrinks the font until the whole screen is visible; never above the usual size. */
  #scale(): void {
    const { parent, growsDown = false } = this.#options
    const width = parent.clientWidth - 2
    const height = growsDown ? Number.POSITIVE_INFINITY : parent.clientHeight - 2
    if (width <= 0 || height <= 0) return
    const fits = () => {
      const screen = parent.querySelector<HTMLElement>('.xterm-screen')
      return screen === null || (screen.offsetWidth <= width && screen.offsetHeight <= height)
    }
    const { cols, rows } = this.terminal
    // A cell is about 0.6 of the font size wide and 1.2 high.
    const about = Math.min(width / (cols * 0.6), height / (rows * 1.15))
    let size = Math.max(fontSizeMin, Math.min(this.#look.fontSize, Math.ceil(about * 2) / 2))
    this.terminal.options.fontSize = size
    while (!fits() && size > fontSizeMin) {
      size -= 0.5
      this.terminal.options.fontSize = size
    }
  }
}
