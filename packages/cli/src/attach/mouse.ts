/**
 * The mouse of an attached person. Their terminal reports it in one encoding (SGR), in cells of the window; the program gets it in the encoding
 * that it asked for, in cells of its screen. Pure: bytes and modes in, bytes and modes out.
 */

import { esc } from '@agentpty/protocol/escapes'

/** Cells count from 0. */
export interface MouseReport {
  /** The number of xterm's protocol: a button with its modifiers, 32 more while it moves, 64 and 65 for the wheel. */
  readonly button: number
  readonly row: number
  readonly col: number
  readonly isRelease: boolean
}

/** DEC private modes: clicks alone, clicks and releases, drags, all movements. */
const tracking: ReadonlySet<number> = new Set([9, 1000, 1002, 1003])
const usualTracking = 1000
const utf8 = 1005
const sgr = 1006
const urxvt = 1015
const pixels = 1016
const encodings: ReadonlySet<number> = new Set([utf8, sgr, urxvt, pixels])
const applicationKeys = 1

/** Modifiers and movement: shift, alt, ctrl, motion. */
const modifierBits = 0b111100
const releasedButton = 3
const wheelUp = 64
const wheelDown = 65

export const tracksMouse = (modes: readonly number[]): boolean => modes.some((mode) => tracking.has(mode))

/**
 * The modes for the terminal of the person, by those of the program. `hasMouse`: agentpty takes the wheel where the program does not; without it
 * the mouse belongs to their terminal, which selects text with it. Pixels cannot be converted: such a program gets what the terminal reports.
 */
export function ownModes(modes: readonly number[], hasMouse: boolean): readonly number[] {
  const others = modes.filter((mode) => !tracking.has(mode) && !encodings.has(mode))
  if (!hasMouse) return others
  if (!tracksMouse(modes)) return [...others, usualTracking, sgr]
  return [...others, ...modes.filter((mode) => tracking.has(mode)), modes.includes(pixels) ? pixels : sgr]
}

const report = new RegExp(String.raw`${esc}\[<(\d{1,7});(\d{1,7});(\d{1,7})([Mm])`, 'g')
/** The beginning of a report at the end of a read. A key is never one: no key sends "<" after the bracket. */
const opened = new RegExp(String.raw`${esc}\[<[\d;]{0,24}$`)

/** Splits input into reports of the mouse and everything else, in order. */
export class MouseReader {
  #open = ''

  take(bytes: Uint8Array): readonly (MouseReport | Uint8Array)[] {
    // One character for each byte, so that nothing else is changed.
    const text = this.#open + Buffer.from(bytes).toString('latin1')
    this.#open = opened.exec(text)?.[0] ?? ''
    const whole = text.slice(0, text.length - this.#open.length)
    const parts: (MouseReport | Uint8Array)[] = []
    let from = 0
    const addKeys = (until: number) => {
      if (until > from) parts.push(Buffer.from(whole.slice(from, until), 'latin1'))
    }
    for (const found of whole.matchAll(report)) {
      addKeys(found.index)
      const [all, button, col, row, end] = found
      parts.push({ button: Number(button), row: Number(row) - 1, col: Number(col) - 1, isRelease: end === 'm' })
      from = found.index + all.length
    }
    addKeys(whole.length)
    return parts
  }
}

/** The rows that one step of the wheel scrolls, by the convention of terminals. */
export const wheelRows = 3

/** Rows to scroll: negative up, positive down; null for anything but the wheel. */
export function wheelOf({ button }: MouseReport): number | null {
  const plain = button & ~modifierBits
  return plain === wheelUp ? -wheelRows : plain === wheelDown ? wheelRows : null
}

/** The arrows that the wheel sends to a full-screen program without a mouse, as terminals do. */
export function wheelAsArrows(rows: number, modes: readonly number[]): string {
  const begin = modes.includes(applicationKeys) ? `${esc}O` : `${esc}[`
  return `${begin}${rows < 0 ? 'A' : 'B'}`.repeat(Math.abs(rows))
}

/** A report as a program with these modes reads it, in bytes as Latin1; empty where its encoding cannot express it. */
export function encodeMouse({ button, row, col, isRelease }: MouseReport, modes: readonly number[]): string {
  const [x, y] = [col + 1, row + 1]
  if (modes.includes(sgr)) return `${esc}[<${button};${x};${y}${isRelease ? 'm' : 'M'}`
  const code = 32 + (isRelease ? (button & modifierBits) | releasedButton : button)
  if (modes.includes(urxvt)) return `${esc}[${code};${x};${y}M`
  const isWide = modes.includes(utf8)
  // A byte, or a character of two bytes.
  if (Math.max(x, y) + 32 > (isWide ? 0x7ff : 0xff)) return ''
  const text = String.fromCharCode(code, x + 32, y + 32)
  return `${esc}[M${isWide ? Buffer.from(text, 'utf8').toString('latin1') : text}`
}
