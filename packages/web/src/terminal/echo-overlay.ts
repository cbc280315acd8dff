/** Draws predicted input over the emulator's screen. It never writes into the emulator. */

import type { Terminal } from '@xterm/xterm'
import type { EchoScreen } from './local-echo.ts'
import type { Prediction, ShownLine } from './predicted-line.ts'

export class EchoOverlay {
  readonly #terminal: Terminal
  readonly #over = document.createElement('span')
  readonly #cursor = document.createElement('span')
  #isShown = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    for (const element of [this.#over, this.#cursor]) {
      element.className = 'local-echo'
      // Screen readers announce the text once the terminal shows it.
      element.ariaHidden = 'true'
    }
  }

  draw(prediction: (Prediction & { readonly cursorCol: number }) | null): void {
    const screen = this.#terminal.element?.querySelector<HTMLElement>('.xterm-screen') ?? null
    if (prediction === null || screen === null) {
      if (this.#isShown) for (const element of [this.#over, this.#cursor]) element.remove()
      this.#isShown = false
      return
    }
    const { row, col, text, cursorCol } = prediction
    this.#place(this.#over, screen, { row, col, text })
    this.#place(this.#cursor, screen, { row, col: cursorCol, text: ' ' })
    const { theme } = this.#terminal.options
    this.#cursor.style.background = theme?.cursor ?? 'currentcolor'
    if (!this.#isShown) screen.append(this.#over, this.#cursor)
    this.#isShown = true
  }

  #place(element: HTMLElement, screen: HTMLElement, { row, col, text }: Prediction): void {
    const { cols, rows, options } = this.#terminal
    const width = screen.offsetWidth / cols
    const height = screen.offsetHeight / rows
    element.textContent = text
    Object.assign(element.style, {
      left: `${col * width}px`,
      top: `${row * height}px`,
      width: `${text.length * width}px`,
      height: `${height}px`,
      lineHeight: `${height}px`,
      fontFamily: options.fontFamily,
      fontSize: `${options.fontSize}px`,
      color: options.theme?.foreground,
      background: options.theme?.background,
    })
    // Letters must have the same spacing as those of the emulator.
    const letter = element.scrollWidth === 0 || text === '' ? width : this.#letterWidth(element, text.length)
    element.style.letterSpacing = `${width - letter}px`
  }

  /** The natural width of a letter in this browser. */
  #letterWidth(element: HTMLElement, length: number): number {
    element.style.letterSpacing = '0'
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect().width / length || element.offsetWidth / length
  }
}

export function echoScreenOf(terminal: Terminal): EchoScreen {
  return {
    get cols() {
      return terminal.cols
    },
    get isUnsuitable() {
      const { active } = terminal.buffer
      return active.type === 'alternate' || active.viewportY !== active.baseY
    },
    line: (): ShownLine => {
      const { active } = terminal.buffer
      const text = active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? ''
      return { row: active.cursorY, col: active.cursorX, text }
    },
  }
}
