/** Plays bytes on one terminal, and on another that is handed over in the middle as the text that draws it. */

import type { Offset } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { drawTerminal } from '../draw-terminal.ts'
import { openKindOf } from '../emulator-state.ts'
import { linksOf } from '../links.ts'
import { openSequence, WholeCharacters } from '../skim.ts'
import { type IBuffer, type IBufferCell, openTerminal, type Terminal, writeAtOnce } from '../terminal.ts'

export interface Played {
  readonly bytes: Uint8Array
  readonly cols: number
  readonly rows: number
  /** How many bytes come before the handing over. */
  readonly cut: number
  readonly scrollbackRows?: number
}

export interface DrawnAgain {
  readonly text: string
  /** Right after the handing over, and after the last byte. */
  readonly first: readonly [original: unknown, drawn: unknown]
  readonly last: readonly [original: unknown, drawn: unknown]
}

export function playedTwice({ bytes, cols, rows, cut, scrollbackRows = 40 }: Played): DrawnAgain {
  const original = new Replica({ cols, rows, scrollbackRows })
  original.feed(bytes.subarray(0, cut))
  const drawnTo = cut - original.characters.waitingBytes
  const open = openSequence(openKindOf(original.terminal), bytes.subarray(0, drawnTo))
  const room = { scrollbackRows: 1_000, scrollbackCharacters: 1_000_000 }
  const text = drawTerminal(original.terminal, { ...room, title: original.title }) + open
  const drawn = new Replica({ cols, rows, scrollbackRows })
  drawn.feed(Buffer.from(text))
  const first = [original.state(), drawn.state()] as const
  original.feed(bytes.subarray(cut))
  drawn.feed(bytes.subarray(drawnTo))
  const last = [original.state(), drawn.state()] as const
  original.terminal.dispose()
  drawn.terminal.dispose()
  return { text, first, last }
}

/** A terminal that bytes or the events of a follower are played on. */
export class Replica {
  readonly terminal: Terminal
  readonly characters = new WholeCharacters()
  title = ''
  /** After the last byte that was played. */
  at: Offset = 0

  constructor(options: { readonly cols: number; readonly rows: number; readonly scrollbackRows: number }) {
    this.terminal = openTerminal(options)
    this.terminal.onTitleChange((title) => {
      this.title = title
    })
  }

  feed(bytes: Uint8Array): void {
    writeAtOnce(this.terminal, this.characters.take(bytes))
    this.at += bytes.length
  }

  /** Errors: throws where bytes are missing or come twice. */
  take(event: SessionEvent): void {
    if (event.type === 'snapshot') {
      this.terminal.resize(event.size.cols, event.size.rows)
      this.feed(Buffer.from(event.text))
      this.at = event.at
    } else if (event.type === 'output') {
      if (event.offset !== this.at) throw new Error(`${event.offset} comes after ${this.at}`)
      this.feed(event.bytes)
      // A masked secret is shorter than the bytes that it stands for.
      this.at = event.next
    } else if (event.type === 'resized') {
      if (event.at > this.at) throw new Error(`resized at ${event.at}, before the bytes from ${this.at} on`)
      this.terminal.resize(event.size.cols, event.size.rows)
    }
  }

  state(): unknown {
    return stateOfAll(this.terminal, this.title)
  }

  /** The rows that are seen. */
  get text(): string {
    const { active } = this.terminal.buffer
    const lines = Array.from({ length: this.terminal.rows }, (_, row) => active.getLine(active.baseY + row))
    return lines
      .map((line) => line?.translateToString(true).trimEnd() ?? '')
      .join('\n')
      .trimEnd()
  }
}

interface BufferInside {
  readonly x: number
  readonly y: number
  readonly ybase: number
  readonly scrollTop: number
  readonly scrollBottom: number
  readonly savedX: number
  readonly savedY: number
  readonly savedCurAttrData: { readonly fg: number; readonly bg: number }
  readonly savedCharset: unknown
  readonly tabs: Record<number, boolean>
}

interface ExtendedInside {
  readonly _ext: number
  readonly urlId: number
}

type CellInside = IBufferCell & {
  readonly fg: number
  readonly bg: number
  readonly extended: ExtendedInside
}

interface CoreInside {
  readonly buffers: Readonly<Record<'normal' | 'alt' | 'active', BufferInside>>
  readonly coreService: { readonly decPrivateModes: object; readonly modes: object; readonly isCursorHidden: boolean }
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean } }
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string }
  readonly _charsetService: {
    readonly _charsets: readonly unknown[]
    readonly charset: unknown
    readonly glevel: number
  }
  readonly _inputHandler: {
    readonly _parser: { readonly precedingJoinState: number; readonly currentState: number }
    readonly _curAttrData: { readonly fg: number; readonly bg: number; readonly extended: ExtendedInside }
    readonly _windowTitleStack: readonly string[]
    readonly _iconNameStack: readonly string[]
    readonly _iconName: string
  }
}

/** Reads the state independently of the code that draws it, so that its omissions are found. */
function stateOfAll(terminal: Terminal, title: string): unknown {
  const core = (terminal as unknown as { readonly _core: CoreInside })._core
  const { normal, alt, active } = core.buffers
  const { _parser, _curAttrData, _windowTitleStack, _iconNameStack, _iconName } = core._inputHandler
  const rest = {
    joins: _parser.precedingJoinState !== 0,
    state: _parser.currentState,
    attributes: lookOf(_curAttrData.fg, _curAttrData.bg, _curAttrData.extended._ext),
    link: targetOf(terminal, _curAttrData.extended),
    titles: [title, _windowTitleStack, _iconName, _iconNameStack],
    modes: { ...core.coreService.decPrivateModes, ...core.coreService.modes },
    hidden: core.coreService.isCursorHidden,
    newLine: core.optionsService.rawOptions.convertEol,
    blink: core.optionsService.rawOptions.cursorBlink,
    mouse: [core.coreMouseService.activeProtocol, core.coreMouseService.activeEncoding],
    charsets: [0, 1, 2, 3].map((g) => core._charsetService._charsets[g] ?? null),
    charset: core._charsetService.charset ?? null,
    glevel: core._charsetService.glevel,
    isAlternate: active === alt,
  }
  const cols = terminal.cols
  return {
    ...rest,
    normal: { ...beside(normal, cols), rows: rowsOfAll(terminal, terminal.buffer.normal) },
    alternate: active === alt ? { ...beside(alt, cols), rows: rowsOfAll(terminal, terminal.buffer.alternate) } : null,
    cursor: [active.x, active.y],
  }
}

const beside = (buffer: BufferInside, cols: number) => ({
  ybase: buffer.ybase,
  margins: [buffer.scrollTop, buffer.scrollBottom],
  saved: [Math.min(buffer.savedX, cols - 1), Math.max(0, buffer.savedY - buffer.ybase)],
  savedStyle: lookOf(buffer.savedCurAttrData.fg, buffer.savedCurAttrData.bg, 1 << 26),
  savedCharset: buffer.savedCharset ?? null,
  tabs: Object.keys(buffer.tabs).filter((col) => buffer.tabs[Number(col)] === true && Number(col) < cols),
})

const underline = 0x10000000
const hasExtended = 0x10000000

/** An underline has a kind in one place or in the other, or none at all. */
function lookOf(fg: number, bg: number, ext: number): string {
  const kind = (fg & underline) === 0 ? 0 : (bg & hasExtended) === 0 ? 1 : (ext >> 26) & 7
  const look = [colored(fg & ~underline), colored(bg & ~hasExtended), kind, kind > 1 ? colored(ext & 0x3ffffff) : 0]
  return look.every((part) => part === 0) ? '' : `<${look.join()}>`
}

/** Removes the bits that an indexed colour has left over from the colour before it. */
function colored(bits: number): number {
  const mode = bits & 0x3000000
  return mode === 0x1000000 || mode === 0x2000000 ? bits & ~0xffff00 : bits
}

const targetOf = (terminal: Terminal, { urlId }: ExtendedInside): string => linksOf(terminal)?.targetOf(urlId) ?? ''

/** A cell that was never written looks like a blank. */
function rowsOfAll(terminal: Terminal, buffer: IBuffer): readonly string[] {
  return Array.from({ length: buffer.length }, (_, row) => {
    const line = buffer.getLine(row)
    const isWrapped = row > 0 && line?.isWrapped === true
    let cells = ''
    let width = 0
    for (let col = 0; col < (line?.length ?? 0); col += 1) {
      const cell = line?.getCell(col) as CellInside | undefined
      if (cell === undefined) continue
      // The left half of a wide character without its right one.
      const next = line?.getCell(col + 1)
      const isCut = cell.getWidth() === 2 && (next?.getWidth() !== 0 || next.getChars() !== '')
      const isHalf = cell.getWidth() === 0 && cell.getChars() === ''
      if (isHalf && width === 2) {
        width = 0
        continue
      }
      width = isCut ? 1 : cell.getWidth()
      const style = lookOf(cell.fg, cell.bg, cell.extended._ext)
      const link = (cell.bg & hasExtended) === 0 ? '' : targetOf(terminal, cell.extended)
      cells += `${style}${link}${isCut ? ' ' : cell.getChars() || ' '}`
    }
    return `${isWrapped ? '↳' : ' '}${cells}`
  })
}
