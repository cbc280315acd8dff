/** The emulator's state besides its rows: everything that decides the effect of later bytes. Most of it has no public name. */

import type { Terminal } from '@xterm/headless'

/** The style of a cell, packed like the emulator does. */
export interface Attributes {
  readonly fg: number
  readonly bg: number
  /** How it is underlined, and in which colour. */
  readonly ext: number
  /** The number of its link; 0 for none. */
  readonly link: number
}

/** The emulator's further attributes of a cell. Its public `ext` has a dashed underline for links, whatever the program has set. */
export interface Extended {
  readonly _ext: number
  readonly urlId: number
}

type Charset = object | undefined

export interface BufferState {
  /** Columns from 0; equal to the columns of the terminal where the next character wraps. */
  readonly x: number
  readonly y: number
  readonly ybase: number
  readonly scrollTop: number
  readonly scrollBottom: number
  readonly tabs: { readonly [column: number]: boolean }
  readonly savedX: number
  /** Counted from the oldest row of the scrollback. */
  readonly savedY: number
  readonly savedCurAttrData: { readonly fg: number; readonly bg: number }
  readonly savedCharset: Charset
}

interface Core {
  readonly buffers: { readonly normal: BufferState; readonly alt: BufferState; readonly active: BufferState }
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean } }
  readonly unicodeService: { charProperties(codePoint: number, preceding: number): number }
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string }
  readonly coreService: {
    readonly isCursorHidden: boolean
    readonly modes: { readonly insertMode: boolean }
    readonly decPrivateModes: Readonly<Record<string, boolean | undefined>> & {
      readonly cursorStyle?: 'block' | 'underline' | 'bar'
    }
  }
  readonly _charsetService: { readonly charset: Charset; readonly glevel: number; readonly _charsets: Charset[] }
  readonly _inputHandler: {
    readonly _curAttrData: { readonly fg: number; readonly bg: number; readonly extended: Extended }
    readonly _parser: { readonly precedingJoinState: number; readonly currentState: number }
    readonly _windowTitleStack: readonly string[]
    readonly _iconNameStack: readonly string[]
    readonly _iconName: string
  }
}

const coreOf = (terminal: Terminal): Core => (terminal as unknown as { readonly _core: Core })._core

export interface EmulatorState {
  readonly normal: BufferState
  readonly alternate: BufferState
  readonly isAlternate: boolean
  /** Private modes that differ from those of a new terminal, as the numbers after `CSI ?`. */
  readonly modesOn: readonly number[]
  readonly modesOff: readonly number[]
  readonly isInserting: boolean
  readonly isOrigin: boolean
  /** A line feed also goes back to the first column. */
  readonly newLine: boolean
  /** The number of DECSCUSR; null where the program has not chosen. */
  readonly cursorShape: number | null
  readonly attributes: Attributes
  /** The state that decides which characters join the one before the cursor; 0 where none does. */
  readonly joinState: number
  /** The names of the character sets designated to G0 to G3. */
  readonly charsets: readonly string[]
  readonly glevel: number
  /** The name of the character set in use, which a restored cursor may have set. */
  readonly charset: string
  readonly titles: readonly string[]
  readonly iconNames: readonly string[]
  readonly iconName: string
}

export function stateOf(terminal: Terminal): EmulatorState {
  const core = coreOf(terminal)
  const { decPrivateModes: modes, modes: ansi } = core.coreService
  const { _curAttrData: current, _parser: parser } = core._inputHandler
  const { _charsets, glevel, charset } = core._charsetService
  const { cursorStyle } = modes
  const shape = cursorStyle === undefined ? null : { block: 1, underline: 3, bar: 5 }[cursorStyle]
  return {
    normal: core.buffers.normal,
    alternate: core.buffers.alt,
    isAlternate: core.buffers.active === core.buffers.alt,
    modesOn: privateModesOn(core),
    modesOff: [...(modes['wraparound'] === false ? [7] : []), ...(core.coreService.isCursorHidden ? [25] : [])],
    isInserting: ansi.insertMode,
    isOrigin: modes['origin'] === true,
    newLine: core.optionsService.rawOptions.convertEol,
    cursorShape: shape === null ? null : shape + (modes['cursorBlink'] === false ? 1 : 0),
    attributes: { fg: current.fg, bg: current.bg, ext: current.extended._ext, link: current.extended.urlId },
    joinState: parser.precedingJoinState,
    charsets: [0, 1, 2, 3].map((g) => charsetName(_charsets[g], terminal)),
    glevel,
    charset: charsetName(charset, terminal),
    titles: core._inputHandler._windowTitleStack,
    iconNames: core._inputHandler._iconNameStack,
    iconName: core._inputHandler._iconName,
  }
}

const mouseModes: Readonly<Record<string, number>> = { X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 }
const mouseEncodings: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 }
const namedModes: readonly (readonly [name: string, mode: number])[] = [
  ['applicationCursorKeys', 1],
  ['reverseWraparound', 45],
  ['applicationKeypad', 66],
  ['sendFocus', 1004],
  ['bracketedPasteMode', 2004],
  ['synchronizedOutput', 2026],
]

function privateModesOn({ coreService, coreMouseService, optionsService }: Core): readonly number[] {
  const named = namedModes.filter(([name]) => coreService.decPrivateModes[name] === true).map(([, mode]) => mode)
  const blink = optionsService.rawOptions.cursorBlink ? [12] : []
  const mouse = [mouseModes[coreMouseService.activeProtocol], mouseEncodings[coreMouseService.activeEncoding]]
  return [...named, ...blink, ...mouse.filter((mode) => mode !== undefined)]
}

export interface Joining {
  readonly joins: boolean
  /** Columns of the character, with what it joins. */
  readonly width: number
  /** The join state for the next code point. */
  readonly state: number
}

/** Whether a code point would join the cell before it. */
export function joining(terminal: Terminal, codePoint: number, preceding: number): Joining {
  const state = coreOf(terminal).unicodeService.charProperties(codePoint, preceding)
  return { joins: (state & 1) !== 0, width: (state >> 1) & 3, state }
}

export type OpenKind = 'escape' | 'osc' | 'dcs' | 'text'

/** Returns the kind of the open sequence: null for none, `text` for a string that the emulator ignores. */
export function openKindOf(terminal: Terminal): OpenKind | null {
  const { currentState } = coreOf(terminal)._inputHandler._parser
  if (currentState === 0) return null
  if (currentState <= 6) return 'escape'
  if (currentState === 8) return 'osc'
  return currentState >= 9 && currentState <= 13 ? 'dcs' : 'text'
}

/** Names that a program designates them by. */
const designators = ['0', 'A', '4', 'C', '5', 'R', 'Q', 'K', 'Y', 'E', '6', 'Z', 'H', '7', '=']
export const usCharset = 'B'
let charsetNames: Map<Charset, string> | null = null

/** `terminal`: any one of the same emulator. */
export function charsetName(charset: Charset, terminal: Terminal): string {
  if (charset === undefined) return usCharset
  charsetNames ??= learnCharsets(terminal)
  return charsetNames.get(charset) ?? usCharset
}

/** The emulator keeps them as objects without a name, the same ones for all terminals. */
function learnCharsets(terminal: Terminal): Map<Charset, string> {
  // This one’s own class: in a browser it is another than here.
  const scratch = new (terminal.constructor as typeof Terminal)({
    cols: 2,
    rows: 1,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const core = coreOf(scratch) as Core & { writeSync(text: string): void }
  const names = new Map<Charset, string>()
  for (const name of designators) {
    core.writeSync(`\x1b(${name}`)
    names.set(core._charsetService._charsets[0], names.get(core._charsetService._charsets[0]) ?? name)
  }
  scratch.dispose()
  return names
}
