/** Goes through the text of a PowerShell program. Errors: {@link Unreadable} for what is not finished, too deep or not known. */

import { unknownMark } from '../walk/value.ts'

export class Unreadable extends Error {}

const depthMax = 60 // blocks within blocks; a person writes five

export class Cursor {
  readonly text: string
  readonly #position: { at: number }
  readonly #depth: number

  constructor(text: string, position = { at: 0 }, depth = 0) {
    this.text = text
    this.#position = position
    this.#depth = depth
  }

  get at(): number {
    return this.#position.at
  }

  set at(at: number) {
    this.#position.at = at
  }

  get next(): string {
    return this.text[this.at] ?? ''
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at)
  }

  /** What the expression, which is sticky, finds here; null for nothing. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    if (found !== null) this.at = expression.lastIndex
    return found
  }

  expect(text: string): void {
    if (!this.startsWith(text)) throw new Unreadable()
    this.at += text.length
  }

  /** Blanks, comments and continued lines; with `newlines` line ends as well. */
  skip({ newlines = false }: { readonly newlines?: boolean } = {}): void {
    const blanks = newlines ? /(?:[ \t\r\n]|`\r?\n)+/y : /(?:[ \t\r]|`\r?\n)+/y
    for (;;) {
      this.take(blanks)
      if (this.startsWith('<#')) {
        const end = this.text.indexOf('#>', this.at + 2)
        if (end < 0) throw new Unreadable()
        this.at = end + 2
      } else if (this.next === '#') this.take(/[^\n]*/y)
      else return
    }
  }

  /** One level deeper in the same text, at the same position. */
  deeper(): Cursor {
    if (this.#depth === depthMax) throw new Unreadable()
    return new Cursor(this.text, this.#position, this.#depth + 1)
  }

  /** The character behind a backtick, as it comes out in a text. */
  escaped(): string {
    this.at++
    const character = this.next
    if (character === '') throw new Unreadable()
    this.at++
    if (character === 'u' && this.take(/\{[0-9a-fA-F]{1,6}\}/y) !== null) return unknownMark
    return character === 'n' || character === 'r' ? '\n' : character === '0' ? unknownMark : character
  }
}
