/**
 * One terminal in the page: drawn by an emulator of its own, at the size that its program has, as large as there is room for. Loaded with
 * the first terminal that is looked at.
 */

import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { type ITheme, Terminal } from '@xterm/xterm'
import { noneDropped } from '../../../agentpty/src/contracts/session/dropped.ts'
import type { Lease } from '../../../agentpty/src/contracts/session/lease.ts'
import { boundEmulator } from '../../../agentpty/src/engine/screen/bound-emulator.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { withoutAnswers } from './no-answers.ts'
import { markStyles } from './style-nonce.ts'
import { TerminalFeed, type ViewSize } from './terminal-feed.ts'
import { darkTheme, lightTheme } from './themes.ts'

export interface TerminalViewOptions {
  readonly parent: HTMLElement
  readonly mayType: boolean
  readonly typed: (text: string) => void
  readonly leave: () => void
  readonly sized: (size: ViewSize) => void
  readonly titled: (title: string) => void
  readonly leased: (lease: Lease) => void
}

const [fontSizeMax, fontSizeMin] = [14, 5]
const fontFamily =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace'
let isMarked = false

export class TerminalView {
  readonly #options: TerminalViewOptions
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #feed: TerminalFeed
  readonly #resizes: ResizeObserver
  readonly #dark = matchMedia('(prefers-color-scheme: dark)')
  readonly #themed = () => {
    this.#terminal.options.theme = this.#theme
  }
  constructor(options: TerminalViewOptions) {
    if (!isMarked) markStyles()
    isMarked = true
    this.#options = options
    const { parent, mayType } = options
    this.#terminal = new Terminal({
      allowProposedApi: true,
      fontFamily,
      fontSize: fontSizeMax,
      disableStdin: !mayType,
      scrollback: 5_000,
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      theme: this.#theme,
    })
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    this.#terminal.unicode.activeVersion = '15-graphemes'
    this.#terminal.loadAddon(this.#fit)
    withoutAnswers(this.#terminal.parser)
    boundEmulator(this.#terminal, noneDropped())
    this.#feed = new TerminalFeed(this.#terminal, {
      leased: options.leased,
      sized: (size) => {
        this.#scale()
        options.sized(size)
      },
    })
    this.#terminal.open(parent)
    this.#terminal.textarea?.setAttribute('aria-label', 'Terminal input. Ctrl+Shift+Escape leaves the terminal.')
    this.#listen()
    this.#resizes = new ResizeObserver(() => this.#scale())
    this.#resizes.observe(parent)
  }

  /** Draws until the terminal ends, the signal aborts or the connection is lost. Errors: those of `follow`. */
  show(client: WireClient, terminalId: string, signal: AbortSignal): Promise<void> {
    return this.#feed.show(client, terminalId, signal)
  }

  focus(): void {
    this.#terminal.focus()
  }

  /** How large the terminal would be if it filled the room in letters of the usual size. */
  proposedSize(): ViewSize | null {
    const now = this.#terminal.options.fontSize
    this.#terminal.options.fontSize = fontSizeMax
    const size = this.#fit.proposeDimensions()
    this.#terminal.options.fontSize = now ?? fontSizeMax
    return size === undefined || Number.isNaN(size.cols) ? null : { cols: size.cols, rows: size.rows }
  }

  dispose(): void {
    this.#resizes.disconnect()
    this.#dark.removeEventListener('change', this.#themed)
    this.#terminal.dispose()
  }

  get #theme(): ITheme {
    return this.#dark.matches ? darkTheme : lightTheme
  }

  #listen(): void {
    const { typed, leave, titled } = this.#options
    this.#dark.addEventListener('change', this.#themed)
    // Where this page looks is its own matter, not the program's.
    this.#terminal.onData((text) => text !== '\x1b[I' && text !== '\x1b[O' && typed(text))
    this.#terminal.onBinary(typed)
    this.#terminal.onTitleChange(titled)
    this.#terminal.attachCustomKeyEventHandler((event) => {
      const { key, ctrlKey, shiftKey, type } = event
      const isLeaving = key === 'Escape' && ctrlKey && shiftKey
      if (isLeaving && type === 'keydown') leave()
      // The browser copies then; without a selection the key is the program's.
      const isCopying = ctrlKey && shiftKey && key.toLowerCase() === 'c' && this.#terminal.hasSelection()
      if (isCopying && type === 'keydown') {
        event.preventDefault()
        void navigator.clipboard.writeText(this.#terminal.getSelection())
      }
      return !isLeaving && !isCopying && !(ctrlKey && shiftKey && key.toLowerCase() === 'v')
    })
  }

  /** The letters become smaller until all of the screen is seen, and are never larger than usual. */
  #scale(): void {
    const { parent } = this.#options
    const [width, height] = [parent.clientWidth - 2, parent.clientHeight - 2]
    if (width <= 0 || height <= 0) return
    const fits = () => {
      const screen = parent.querySelector<HTMLElement>('.xterm-screen')
      return screen === null || (screen.offsetWidth <= width && screen.offsetHeight <= height)
    }
    const { cols, rows } = this.#terminal
    // A cell is about 0.6 of the letters' size wide and 1.2 high.
    const about = Math.min(width / (cols * 0.6), height / (rows * 1.15))
    let size = Math.max(fontSizeMin, Math.min(fontSizeMax, Math.ceil(about * 2) / 2))
    this.#terminal.options.fontSize = size
    while (!fits() && size > fontSizeMin) {
      size -= 0.5
      this.#terminal.options.fontSize = size
    }
  }
}
