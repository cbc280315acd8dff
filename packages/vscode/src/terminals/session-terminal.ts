/**
 * One terminal of the daemon as a tab of the editor. It is drawn from a snapshot and then from every byte once, at the size of its program.
 * Closing the tab does not affect the program.
 */

import { isTermError, type Size } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { Typing, type WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { FrameDrawing, fitsInto, isSameSize, OutputDrawing } from './drawing.ts'

/** A terminal of the daemon in a tab. */
export interface TabTerminal extends vscode.Pseudoterminal {
  /** True if keys of a person go to this tab now, or will when the window is focused again. */
  readonly isInUse: boolean
  /** Resizes the program to the tab, for all viewers. */
  fit(): void
  rename(name: string): void
}

/** The condition for resizing the program to its tab: always, after a person's input, or on request only. */
export type Fits = 'always' | 'typed' | 'never'

export interface SessionTerminalParts {
  readonly terminalId: string
  readonly client: Observable<WireClient | null>
  readonly fits: () => Fits
  readonly say: (words: string) => void
  /** Called once the editor has made the tab. */
  readonly opened?: () => void
  /** Called after the tab is closed. */
  readonly closed: () => void
}

/** Focus reports are for the editor only: the extension keeps them enabled and does not pass them to programs. */
const focusReportIn = '\x1b[I'
const focusReportOut = '\x1b[O'
const tellOfKeyboard = '\x1b[?1004h'
/** The sequences that disable focus reports: the mode itself, and resets. */
const disablesFocusReports = /1004[\d;]*l|\x1bc|\x1b\[!p/

/** The editor ignores a removed override and cuts each one to the tab. A very large override therefore means none. */
const wholeTab: Size = { cols: 10_000, rows: 10_000 }

export class SessionTerminal implements TabTerminal {
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
  /** The size of the editor's emulator: the tab's, unless an override is shown. Null before it was shown. */
  #tab: Size | null = null
  #program: Size | null = null
  #isOverridden = false
  #wantsFit = false
  /** True if the whole screen of the program is drawn, not a window onto it. */
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
    this.#parts.opened?.()
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

  /** True if keys of a person go to this tab now, or will when the window is focused again. */
  get isInUse(): boolean {
    return vscode.window.state.focused ? this.#hasKeyboard : this.#wasTypedIn
  }

  handleInput(data: string): void {
    if (data === focusReportIn || data === focusReportOut) {
      this.#hasKeyboard = data === focusReportIn
      return
    }
    this.#wasTypedIn = true
    if (this.#parts.fits() !== 'never') this.fit()
    if (!this.#typing.type(data)) this.#parts.say('That is more than can wait to be typed. Nothing of it was typed.')
  }

  /**
   * While an override is shown, the editor reports that size, cut to the tab, and does not report a growing tab. The last report is therefore the
   * minimum size of the tab. A program that grows beyond it first gets the whole tab.
   */
  setDimensions(dimensions: vscode.TerminalDimensions): void {
    const before = this.#tab
    const now = { cols: dimensions.columns, rows: dimensions.rows }
    this.#tab = now
    if (this.#isOverridden && isSameSize(now, this.#program)) return
    const fits = this.#wantsFit || this.#parts.fits() === 'always'
    this.#wantsFit = false
    // The size of the program must be reported before anything else.
    if (fits && this.#program !== null) this.fit()
    // A window onto the program must have the size of its tab.
    this.#redraw(!this.#isWhole && !isSameSize(now, before))
  }

  rename(name: string): void {
    this.#names.fire(name)
  }

  /** Resizes the program to the tab, for all viewers. */
  fit(): void {
    if (this.#isOverridden) {
      // Without an override, the editor reports the size of the tab if it differs from the last report.
      this.#wantsFit = true
      this.#setOverride(null)
    }
    const tab = this.#tab
    const client = this.#parts.client.peek()
    if (tab === null || client === null || isSameSize(tab, this.#program)) return
    client.call('resize', { terminalId: this.#parts.terminalId, ...tab }).catch((error: unknown) => {
      if (!isLost(error)) this.#parts.say(wordsOf(error))
    })
  }

  /** Runs until the connection is lost, the terminal ends or it must be drawn in another way. */
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
    const from =
      part === null ? ({ output: { from: 'screen' } } as const) : { frames: { ...part, above: true, links: true } }
    try {
      for await (const event of client.follow(this.#parts.terminalId, { ...from, signal })) {
        if (signal.aborted) return
        this.#show(event, shows)
      }
    } catch (error) {
      if (signal.aborted) return
      if (isClosed(error)) this.#writes.fire(lastLine('This terminal was closed.'))
      // After a lost connection is reopened, the terminal is drawn again.
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
    this.#writes.fire(disablesFocusReports.test(text) ? `${text}${tellOfKeyboard}` : text)
  }

  #resized(size: Size): void {
    const before = this.#program
    this.#program = size
    if (before === null && this.#parts.fits() === 'always') this.fit()
    // While an override is shown, the true size of the tab is unknown.
    if (fitsInto(size, this.#tab) && (this.#isOverridden || !isSameSize(size, this.#tab))) this.#setOverride(size)
    this.#redraw()
  }

  /** Shows the program's size in a larger tab; null: the tab's own size. */
  #setOverride(size: Size | null): void {
    if (size === null && !this.#isOverridden) return
    this.#isOverridden = size !== null
    const { cols, rows } = size ?? wholeTab
    this.#sizes.fire({ columns: cols, rows })
  }

  /** Draws in the mode that fits both sizes, unless it is in use already. */
  #redraw(isOtherwise = false): void {
    const client = this.#parts.client.peek()
    const shouldBe = this.#program === null || fitsInto(this.#program, this.#tab)
    if (client !== null && (isOtherwise || shouldBe !== this.#isWhole)) void this.#follow(client)
  }
}

export const sizeOf = (dimensions: vscode.TerminalDimensions | undefined): Size | null =>
  dimensions === undefined ? null : { cols: dimensions.columns, rows: dimensions.rows }

export const isLost = (error: unknown): boolean => isTermError(error) && error.code === 'daemon_gone'

/** The overview closes the tab of such a terminal soon after. */
export const isClosed = (error: unknown): boolean => isTermError(error) && error.code === 'session_not_found'

const lastLine = (words: string): string => `\r\n\x1b[0;2m${words}\x1b[0m\x1b[?25l`

function endWords({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  return signal === null ? `The program has ended with exit code ${code}.` : `The program was ended by ${signal}.`
}

export function wordsOf(error: unknown): string {
  if (!isTermError(error)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'person_types') return 'Only agents type in this terminal. Take it over first.'
  return `${error.message} ${error.hint}`
}

/** Returns whether a tab shows a terminal of the daemon. */
export function isOurTab({ creationOptions: options }: vscode.Terminal): boolean {
  return 'pty' in options && options.pty instanceof SessionTerminal
}
