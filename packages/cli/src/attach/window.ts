/** Draws frames of one terminal on a part of another: pure, frames in and bytes out. */

import { type Client, invalidInput, isTermError, type Size } from '@agentpty/protocol'
import { esc } from '@agentpty/protocol/escapes'
import { prefixHint, prefixPattern } from '@agentpty/protocol/home'
import type { Frame } from '@agentpty/protocol/session'
import { type CliOptions, type FlagValues, type Terminal, textFlag, withClient } from '../command.ts'

/** Rows and columns count from 0. */
export interface Area extends Size {
  readonly top: number
  readonly left: number
}

export const enterScreen = `${esc}[?1049h${esc}[0m${esc}[2J`
export const leaveScreen = `${esc}[0m${esc}[?25h${esc}[?1049l`

/** The title that the window had comes back when we leave, where a terminal keeps titles. */
export const keepTitle = `${esc}[22;2t`
export const restoreTitle = `${esc}[23;2t`

export function setTitle(title: string): string {
  return `${esc}]2;${title.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')}\x07`
}

/** Wraps a drawing in a synchronized update, so that a terminal that supports it draws all of it in one step. */
export function atOnce(drawing: string): string {
  return drawing === '' ? '' : `${esc}[?2026h${drawing}${esc}[?2026l`
}

export function goTo(row: number, col: number): string {
  return `${esc}[${row + 1};${col + 1}H`
}

export class Window {
  readonly area: Area
  #rows: string[] = []
  #frame: Frame | null = null
  #modes: readonly number[] = []
  readonly #ownModes: (modes: readonly number[]) => readonly number[]

  /** `ownModes`: the modes for our own terminal, by those of the program. */
  constructor(area: Area, ownModes: (modes: readonly number[]) => readonly number[] = (modes) => modes) {
    this.area = area
    this.#ownModes = ownModes
  }

  get frame(): Frame | null {
    return this.#frame
  }

  draw(frame: Frame): string {
    if (frame.isWhole) this.#rows = []
    for (const [row, text] of frame.rows) this.#rows[row] = text
    this.#frame = frame
    if (frame.isWhole) return this.redraw()
    return frame.rows.map(([row]) => this.drawRow(row)).join('')
  }

  redraw(): string {
    const border = this.#frame === null ? '' : this.#border(this.#frame)
    return `${this.#clear()}${this.#rows.map((_, row) => this.drawRow(row)).join('')}${border}`
  }

  /** Draws a row as the newest frame has it, instead of whatever was drawn over it. */
  drawRow(row: number): string {
    const { top, left } = this.area
    const cols = Math.min(this.area.cols, this.#frame?.size.cols ?? this.area.cols)
    return `${goTo(top + row, left)}${esc}[0m${esc}[${cols}X${this.#rows[row] ?? ''}${esc}[0m`
  }

  /** Draws the last row again, after something else was drawn over it. */
  restoreLastRow(): string {
    const { top, left, cols, rows } = this.area
    const row = (this.#frame?.size.rows ?? rows) >= rows ? this.drawRow(rows - 1) : ''
    const border = this.#frame === null ? '' : this.#border(this.#frame)
    return `${goTo(top + rows - 1, left)}${esc}[0m${esc}[${cols}X${row}${border}`
  }

  /** Puts the cursor where the program has it. */
  drawCursor(): string {
    const cursor = this.#frame?.cursor
    if (cursor === undefined || cursor === null) return `${esc}[?25l`
    return `${goTo(this.area.top + cursor.row, this.area.left + cursor.col)}${esc}[?25h`
  }

  /** Makes our own terminal send what the program expects. */
  takeModes(): string {
    return this.takeOnly(this.#ownModes(this.#frame?.modes ?? []))
  }

  /** Makes our own terminal have these modes and no others of a program. */
  takeOnly(wanted: readonly number[]): string {
    const off = this.#modes.filter((mode) => !wanted.includes(mode))
    const on = wanted.filter((mode) => !this.#modes.includes(mode))
    this.#modes = wanted
    return `${off.map((mode) => `${esc}[?${mode}l`).join('')}${on.map((mode) => `${esc}[?${mode}h`).join('')}`
  }

  giveModesBack(): string {
    return this.takeOnly([])
  }

  #clear(): string {
    const { top, left, cols, rows } = this.area
    return Array.from({ length: rows }, (_, row) => `${goTo(top + row, left)}${esc}[0m${esc}[${cols}X`).join('')
  }

  /** The edge of a screen that is smaller than the window. */
  #border({ size }: Frame): string {
    const { top, left, cols, rows } = this.area
    const dim = `${esc}[0;2m`
    const side = size.cols < cols ? Math.min(size.rows, rows) : 0
    const right = Array.from({ length: side }, (_, row) => `${goTo(top + row, left + size.cols)}${dim}│`).join('')
    const isShort = size.rows < rows
    const bottom = isShort
      ? `${goTo(top + size.rows, left)}${dim}${'─'.repeat(Math.min(size.cols, cols))}${size.cols < cols ? '┘' : ''}`
      : ''
    return `${right}${bottom}${esc}[0m`
  }
}

/** Limit of reconnections to a daemon that ends right after each connection. */
const reconnectsMax = 20

/** Terminals outlive a daemon: when it ends, the person is attached again through the next one. */
export async function withLastingClient<Result>(
  options: CliOptions,
  use: (client: Client, isNewDaemon: boolean) => Promise<Result>,
): Promise<Result> {
  for (let left = reconnectsMax; ; left--) {
    try {
      return await withClient(options, (client) => use(client, left < reconnectsMax), { isPerson: true })
    } catch (error) {
      if (left === 0 || !isTermError(error) || error.code !== 'daemon_gone') throw error
    }
  }
}

/** Errors: `invalid_input` for a key that cannot be the prefix. */
export async function prefixOf({ explainConfig }: CliOptions, flags: FlagValues): Promise<string> {
  const set = (await explainConfig()).find(({ key }) => key === 'attachPrefix')?.value
  const name = textFlag(flags, 'prefix') ?? String(set)
  if (prefixPattern.test(name)) return name
  throw invalidInput(`"${name}" can be no prefix.`, prefixHint)
}

/** Errors: `invalid_input` in a pipe. */
export function requireTerminal({ terminal }: CliOptions): Terminal {
  if (terminal !== null) return terminal
  throw invalidInput('This needs a terminal to show it in.', 'In a pipe use: agentpty read, or agentpty screen')
}

// The status line below the program's screen for an attached person: the terminal, and the keys that agentpty takes.

/** Our row below the screen costs nothing when the screen and the window differ in rows; else it covers the last row. */
export function hasRoomForStatus(window: Size, screen: Size): boolean {
  return window.rows > 2 && window.rows !== screen.rows
}

interface StatusWords {
  readonly name: string
  readonly prefix: string
  /** The size of the whole screen. */
  readonly screen: Size
  readonly readOnly: boolean
  /** Text about the lease, where not every client may type. */
  readonly lease: string
}

/** Shown after attaching, until a key is pressed. */
export function welcome({ name, prefix, readOnly }: StatusWords, isNewDaemon: boolean): string {
  const leave = readOnly ? 'q leaves' : `${prefix} d leaves   ${prefix} [ looks back   ${prefix} shows all keys`
  return ` ${isNewDaemon ? `the daemon was replaced; ${name} goes on` : `attached to ${name}`}   ${leave} `
}

export function statusLine({ name, prefix, screen, readOnly, lease }: StatusWords): string {
  const typing = lease === '' ? '' : `   ${lease}`
  return ` ${name}   ${screen.cols}x${screen.rows}${typing}   ${readOnly ? 'read only, q leaves' : `${prefix}: keys`} `
}

export function keysOf(prefix: string): string {
  return ` ${prefix}  d: leave   t: take over, give back   [: look back, copy   f: fit to this window   m: mouse on, off   s: status line   ${prefix}: send that key   other: go on `
}

/** Draws a text over the whole last row. */
export function drawOverLastRow(words: string, { rows, cols }: Size): string {
  return `${goTo(rows - 1, 0)}\x1b[0;7m${Array.from(words).slice(0, cols).join('').padEnd(cols)}\x1b[0m`
}
