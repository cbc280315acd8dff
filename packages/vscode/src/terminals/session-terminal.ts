/**
 * One terminal of the daemon as a tab of the editor: drawn from a snapshot and then from every byte once, at the size that its program has.
 * Closing the tab takes nothing from the program.
 */

import { isTermError, type Size } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { Typing, type WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Held } from '../link/held.ts'
import { FrameDrawing, fitsInto, isSameSize, OutputDrawing } from './drawing.ts'

/** When the program gets the size of its tab: whenever they differ, once somebody types, or when it is asked for alone. */
export type Fits = 'always' | 'typed' | 'never'

export interface SessionTerminalParts {
  readonly terminalId: string
  readonly client: Held<WireClient | null>
  readonly fits: () => Fits
  readonly say: (words: string) => void
  /** It is shown no more. */
  readonly closed: () => void
}

/** Where the keyboard is is the editor's matter, not the program's: we have it told at any time, and tell no program. */
const keyboardCame = '\x1b[I'
const keyboardWent = '\x1b[O'
const tellOfKeyboard = '\x1b[?1004h'
/** What makes the emulator tell it no more: the mode itself, and resets. */
const tellsNoMore = /1004[\d;]*l|\x1bc|\x1b\[!p/

/** The editor passes over an override that is taken back, and cuts each to the tab: so a very large one is none. */
const wholeTab: Size = { cols: 10_000, rows: 10_000 }

export class SessionTerminal implements vscode.Pseudoterminal {
  readonly #parts: SessionTerminalParts
  readonly #writes = new vscode.EventEmitter<string>()
  readonly #sizes = new vscode.EventEmitter<vscode.TerminalDimensions | undefined>()
  readonly #names = new vscode.EventEmitter<string>()
  readonly onDidWrite = this.#writes.event
  readonly onDidOverrideDimensions = this.#sizes.event
  readonly onDidChangeName = this.#names.event
  readonly #typing: Typing
  readonly #over = new AbortController()
  #stopListening: () => void = () => {}
  #following: AbortController | null = null
  /** What the editor's emulator has, which is the tab's size while no other is shown in it; null before it was shown. */
  #tab: Size | null = null
  #program: Size | null = null
  #isOverridden = false
  #wantsFit = false
  /** All of the program's screen is drawn, and not a window onto it. */
  #isWhole = true
  #hasKeyboard = false
  #wasTypedIn = false

  constructor(parts: SessionTerminalParts) {
    this.#parts = parts
    const { terminalId, client, say } = parts
    this.#typing = new Typing({ terminalId, client, noted: say, refused: (error) => say(wordsOf(error)) })
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.#tab = sizeOf(dimensions)
    this.#stopListening = this.#parts.client.subscribe((client) => {
      this.#following?.abort()
      if (client !== null) void this.#follow(client)
    })
  }

  close(): void {
    this.#over.abort()
    this.#following?.abort()
    this.#stopListening()
    this.#parts.closed()
  }

  /** Whether keys that a person types now come here, or will once the window has the keyboard again. */
  get isInUse(): boolean {
    return vscode.window.state.focused ? this.#hasKeyboard : this.#wasTypedIn
  }

  handleInput(data: string): void {
    if (data === keyboardCame || data === keyboardWent) {
      this.#hasKeyboard = data === keyboardCame
      return
    }
    this.#wasTypedIn = true
    if (this.#parts.fits() !== 'never') this.fit()
    if (!this.#typing.type(data)) this.#parts.say('That is more than can wait to be typed. It was not taken.')
  }

  /**
   * While the editor shows the program's size it tells that one, cut to the tab, and says nothing of a tab that grows. So what it has told
   * last is the least that the tab may have, and a program that grows beyond it is given the whole tab first.
   */
  setDimensions(dimensions: vscode.TerminalDimensions): void {
    const [before, now] = [this.#tab, { cols: dimensions.columns, rows: dimensions.rows }]
    this.#tab = now
    if (this.#isOverridden && isSameSize(now, this.#program)) return
    const fits = this.#wantsFit || this.#parts.fits() === 'always'
    this.#wantsFit = false
    // What size it has is told first of all.
    if (fits && this.#program !== null) this.fit()
    // A window onto the program has the size of its tab.
    this.#redraw(!this.#isWhole && !isSameSize(now, before))
  }

  rename(name: string): void {
    this.#names.fire(name)
  }

  /** The program gets the size of the tab, for all who look. */
  fit(): void {
    if (this.#isOverridden) {
      // The editor tells the size of the tab once it shows no other, if it is not the one that it has told.
      this.#wantsFit = true
      this.#setOverride(null)
    }
    const [tab, client] = [this.#tab, this.#parts.client.peek()]
    if (tab === null || client === null || isSameSize(tab, this.#program)) return
    client.call('resize', { terminalId: this.#parts.terminalId, ...tab }).catch((error: unknown) => {
      if (!isLost(error)) this.#parts.say(wordsOf(error))
    })
  }

  /** Until the connection is lost, the terminal ends, or it is to be drawn in another way. */
  async #follow(client: WireClient): Promise<void> {
    const following = new AbortController()
    this.#following?.abort()
    this.#following = following
    const { signal } = following
    const tab = this.#tab
    const part = tab !== null && this.#program !== null && !fitsInto(this.#program, tab) ? tab : null
    this.#isWhole = part === null
    if (part !== null) this.#setOverride(null)
    const shows = part === null ? new OutputDrawing() : new FrameDrawing(part)
    const from = part === null ? ({ output: { from: 'screen' } } as const) : { frames: { ...part, above: true } }
    try {
      for await (const event of client.follow(this.#parts.terminalId, { ...from, signal })) {
        if (signal.aborted) return
        this.#show(event, shows)
      }
    } catch (error) {
      if (signal.aborted) return
      if (isClosed(error)) this.#writes.fire(lastLine('This terminal was closed.'))
      // A lost connection is opened again, and then the terminal is drawn anew.
      else if (!isLost(error)) this.#parts.say(wordsOf(error))
    }
  }

  #show(event: SessionEvent, shows: OutputDrawing | FrameDrawing): void {
    if (event.type === 'snapshot') {
      this.#resized(event.size)
      this.#draw(`${event.text}${tellOfKeyboard}`)
    } else if (event.type === 'output') {
      if (shows instanceof OutputDrawing) this.#draw(shows.draw(event.bytes))
    } else if (event.type === 'frame') {
      this.#resized(event.size)
      if (shows instanceof FrameDrawing) this.#draw(shows.draw(event))
    } else if (event.type === 'resized') this.#resized(event.size)
    else if (event.type === 'exit') this.#writes.fire(lastLine(endWords(event.exit)))
  }

  #draw(text: string): void {
    this.#writes.fire(tellsNoMore.test(text) ? `${text}${tellOfKeyboard}` : text)
  }

  #resized(size: Size): void {
    const before = this.#program
    this.#program = size
    if (before === null && this.#parts.fits() === 'always') this.fit()
    // Of an override nobody knows whether the tab itself has that size.
    if (fitsInto(size, this.#tab) && (this.#isOverridden || !isSameSize(size, this.#tab))) this.#setOverride(size)
    this.#redraw()
  }

  /** A tab that is larger shows the program's size; null: it has its own. */
  #setOverride(size: Size | null): void {
    if (size === null && !this.#isOverridden) return
    this.#isOverridden = size !== null
    const { cols, rows } = size ?? wholeTab
    this.#sizes.fire({ columns: cols, rows })
  }

  /** In the way that is right for both sizes, unless it is drawn so already. */
  #redraw(isOtherwise = false): void {
    const client = this.#parts.client.peek()
    const shouldBe = this.#program === null || fitsInto(this.#program, this.#tab)
    if (client !== null && (isOtherwise || shouldBe !== this.#isWhole)) void this.#follow(client)
  }
}

const sizeOf = (dimensions: vscode.TerminalDimensions | undefined): Size | null =>
  dimensions === undefined ? null : { cols: dimensions.columns, rows: dimensions.rows }

const isLost = (error: unknown): boolean => isTermError(error) && error.code === 'daemon_gone'

/** Its tab is closed as soon as the overview says so. */
const isClosed = (error: unknown): boolean => isTermError(error) && error.code === 'session_not_found'

const lastLine = (words: string): string => `\r\n\x1b[0;2m${words}\x1b[0m\x1b[?25l`

function endWords({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  return signal === null ? `The program has ended with exit code ${code}.` : `The program was ended by ${signal}.`
}

export function wordsOf(error: unknown): string {
  if (!isTermError(error)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'person_types') return 'Only agents type in this terminal. Take it over first.'
  return `${error.message} ${error.hint}`
}

/** Whether a tab shows a terminal of the daemon. */
export function isOurTab({ creationOptions: options }: vscode.Terminal): boolean {
  return 'pty' in options && options.pty instanceof SessionTerminal
}
