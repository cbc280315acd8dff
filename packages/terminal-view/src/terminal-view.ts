/**
 * One terminal in a browser: drawn by an emulator of its own, at the size that its program has, as large as there is room for. It knows no
 * daemon: whoever makes it writes to it what there is to draw, and is told what is typed.
 */

import { boundEmulator } from '@agentpty/engine/emulator'
import { noneDropped } from '@agentpty/protocol/session'
import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { type ITheme, Terminal } from '@xterm/xterm'
import { withoutAnswers } from './no-answers.ts'
import { markStyles } from './style-nonce.ts'
import { darkTheme, lightTheme } from './themes.ts'

/** In cells. */
export interface ViewSize {
  readonly cols: number
  readonly rows: number
}

export interface TerminalViewOptions {
  readonly parent: HTMLElement
  readonly mayType: boolean
  /** What the emulator makes of keys, of a paste and of the mouse. */
  readonly typed: (text: string) => void
  /** Sees each key before the emulator. `false`: the emulator shall not see it. */
  readonly pressed?: (event: KeyboardEvent) => boolean
  /** Ctrl+Shift+Escape. */
  readonly leave: () => void
  readonly titled?: (title: string) => void
  /** Largest size of its letters, in pixels. */
  readonly fontSize?: number
  /** Kept above the screen, in rows. */
  readonly scrollback?: number
  /** The room is as high as the screen; otherwise letters become smaller until all rows are in it. */
  readonly growsDown?: boolean
}

const usualFontSize = 14
const fontSizeMin = 5
const usualScrollback = 5_000
const fontFamily =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace'
let isMarked = false

export class TerminalView {
  /** What is written to it is drawn. */
  readonly terminal: Terminal
  readonly #options: TerminalViewOptions
  readonly #fontSize: number
  readonly #fit = new FitAddon()
  readonly #resizes: ResizeObserver
  readonly #dark = matchMedia('(prefers-color-scheme: dark)')
  #scheme: 'dark' | 'light' | null = null
  readonly #themed = () => {
    this.terminal.options.theme = this.#theme
  }

  constructor(options: TerminalViewOptions) {
    if (!isMarked) markStyles()
    isMarked = true
    this.#options = options
    const { parent, mayType, fontSize = usualFontSize, scrollback = usualScrollback } = options
    this.#fontSize = fontSize
    this.terminal = new Terminal({
      allowProposedApi: true,
      fontFamily,
      fontSize,
      disableStdin: !mayType,
      scrollback,
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      theme: this.#theme,
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

  /** Colours as somebody says; `null`: as the browser's user likes them. */
  setScheme(scheme: 'dark' | 'light' | null): void {
    this.#scheme = scheme
    this.#themed()
  }

  /** How large the terminal would be if it filled the room in letters of the usual size. */
  proposedSize(): ViewSize | null {
    const now = this.terminal.options.fontSize
    this.terminal.options.fontSize = this.#fontSize
    const size = this.#fit.proposeDimensions()
    this.terminal.options.fontSize = now ?? this.#fontSize
    return size === undefined || Number.isNaN(size.cols) ? null : { cols: size.cols, rows: size.rows }
  }

  dispose(): void {
    this.#resizes.disconnect()
    this.#dark.removeEventListener('change', this.#themed)
    this.terminal.dispose()
  }

  get #theme(): ITheme {
    const isDark = this.#scheme === null ? this.#dark.matches : this.#scheme === 'dark'
    return isDark ? darkTheme : lightTheme
  }

  #listen(): void {
    const { typed, pressed, leave, titled } = this.#options
    this.#dark.addEventListener('change', this.#themed)
    // Where this page looks is its own matter, not the program's.
    this.terminal.onData((text) => text !== '\x1b[I' && text !== '\x1b[O' && typed(text))
    this.terminal.onBinary(typed)
    if (titled !== undefined) this.terminal.onTitleChange(titled)
    this.terminal.onResize(() => this.#scale())
    this.terminal.attachCustomKeyEventHandler((event) => {
      const { key, ctrlKey, shiftKey, type } = event
      const isLeaving = key === 'Escape' && ctrlKey && shiftKey
      if (isLeaving && type === 'keydown') leave()
      // The browser copies then; without a selection the key is the program's.
      const isCopying = ctrlKey && shiftKey && key.toLowerCase() === 'c' && this.terminal.hasSelection()
      if (isCopying && type === 'keydown') {
        event.preventDefault()
        void navigator.clipboard.writeText(this.terminal.getSelection())
      }
      if (isLeaving || isCopying || (ctrlKey && shiftKey && key.toLowerCase() === 'v')) return false
      return pressed?.(event) !== false
    })
  }

  /** The letters become smaller until all of the screen is seen, and are never larger than usual. */
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
    // A cell is about 0.6 of the letters' size wide and 1.2 high.
    const about = Math.min(width / (cols * 0.6), height / (rows * 1.15))
    let size = Math.max(fontSizeMin, Math.min(this.#fontSize, Math.ceil(about * 2) / 2))
    this.terminal.options.fontSize = size
    while (!fits() && size > fontSizeMin) {
      size -= 0.5
      this.terminal.options.fontSize = size
    }
  }
}
