/**
 * A screen of styled rows above a live terminal, in its letters and colours. It is an emulator without scrollback, so that a row looks the
 * same here and there. Each draw replaces all of its rows.
 */

import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal } from '@xterm/xterm'
import { type DragHandlers, listenToDrags } from './drag-cells.ts'
import type { VisibleSelection } from './older-selection.ts'

export class CoveringScreen {
  readonly #live: Terminal
  readonly #terminal: Terminal
  readonly #element = document.createElement('div')
  readonly #resizes: ResizeObserver
  #isShown = false

  constructor(live: Terminal, dragged: Omit<DragHandlers, 'ended'>) {
    this.#live = live
    const { fontFamily, fontSize = 14, minimumContrastRatio = 1, theme = {} } = live.options
    this.#terminal = new Terminal({
      allowProposedApi: true,
      cols: live.cols,
      rows: live.rows,
      scrollback: 0,
      disableStdin: true,
      cursorInactiveStyle: 'none',
      minimumContrastRatio,
      fontSize,
      theme,
      ...(fontFamily === undefined ? {} : { fontFamily }),
    })
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    this.#terminal.unicode.activeVersion = '15-graphemes'
    this.#element.className = 'covering-screen'
    this.#element.style.visibility = 'hidden'
    live.element?.append(this.#element)
    this.#terminal.open(this.#element)
    const { textarea } = this.#terminal
    // Keys go to the live terminal.
    if (textarea !== undefined) Object.assign(textarea, { disabled: true, tabIndex: -1, ariaHidden: 'true' })
    this.#terminal.write('\x1b[?25l\x1b[?7l')
    this.#element.addEventListener('mousedown', (event) => event.stopPropagation())
    this.#element.addEventListener('mouseup', () => live.focus())
    const cells = () => this.#element.querySelector<HTMLElement>('.xterm-screen')
    listenToDrags(this.#element, { size: () => live, cells }, { ...dragged, ended: () => live.focus() })
    this.#resizes = new ResizeObserver(() => this.follow())
    if (live.element !== undefined) this.#resizes.observe(live.element)
  }

  draw(rows: readonly string[], selected: VisibleSelection | null): void {
    this.follow()
    if (this.#terminal.hasSelection()) this.#terminal.clearSelection()
    const drawn = Array.from(
      { length: this.#terminal.rows },
      (_, at) => `\x1b[m\x1b[${at + 1};1H\x1b[2K${rows[at] ?? ''}`,
    )
    this.#terminal.write(drawn.join(''), () => {
      this.#element.style.visibility = this.#isShown ? '' : 'hidden'
      if (selected !== null && this.#isShown) this.#terminal.select(selected.col, selected.row, selected.length)
    })
    this.#isShown = true
  }

  /** The text of a word or a row that was selected by clicks; empty without one. */
  get selected(): string {
    return this.#terminal.getSelection()
  }

  /** Uncovers the live terminal. */
  hide(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#element.style.visibility = 'hidden'
    this.#terminal.write('\x1b[m\x1b[2J')
  }

  dispose(): void {
    this.#resizes.disconnect()
    this.#terminal.dispose()
    this.#element.remove()
  }

  /** Takes over the size, the letters and the colours of the live terminal. */
  follow(): void {
    const { cols, rows, options } = this.#live
    if (this.#terminal.cols !== cols || this.#terminal.rows !== rows) this.#terminal.resize(cols, rows)
    const own = this.#terminal.options
    const { fontFamily = '', fontSize = 14, minimumContrastRatio = 1, theme = {} } = options
    const look = { fontFamily, fontSize, minimumContrastRatio, theme }
    if (
      own.fontFamily !== fontFamily ||
      own.fontSize !== fontSize ||
      own.minimumContrastRatio !== minimumContrastRatio ||
      own.theme !== theme
    )
      this.#terminal.options = look
  }
}
