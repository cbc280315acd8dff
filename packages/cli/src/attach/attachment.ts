/**
 * An attached person: shows them the screen of a terminal, types their keys into it, and shows its scrollback. Leaving
 * does not change it.
 *
 * The screen stays the same for other clients: a smaller window shows a part of it. The terminal takes the size of the
 * window only when the person asks for it.
 */

import {
  type Client,
  type Clock,
  type Exit,
  outputBytesMax,
  type Size,
  type Stop,
  scrollbackRows,
} from '@agentpty/protocol'
import type { Frame } from '@agentpty/protocol/session'
import type { Terminal } from '../command.ts'
import { isLeavingKey } from '../until-left.ts'
import { type CopiedCommand, CopyMode, type CopyOutcome, toClipboard } from './copy-mode.ts'
import { type CopySearch, CopySearcher } from './copy-search.ts'
import { LeaseWords } from './lease-words.ts'
import { encodeMouse, MouseReader, type MouseReport, ownModes, tracksMouse, wheelAsArrows, wheelOf } from './mouse.ts'
import { type KeyReader, PrefixKeys, prefixByte, type Typed } from './prefix-keys.ts'
import {
  atOnce,
  drawOverLastRow,
  enterScreen,
  hasRoomForStatus,
  keepTitle,
  keysOf,
  leaveScreen,
  restoreTitle,
  setTitle,
  statusLine,
  Window,
  welcome,
} from './window.ts'

export interface AttachOptions {
  readonly client: Client
  readonly clock: Clock
  readonly terminal: Terminal
  readonly print: (text: string) => void | Promise<void>
  readonly terminalId: string
  readonly readOnly: boolean
  /** Make the terminal as large as the window, and keep it so. */
  readonly fit: boolean
  /** The prefix key, written as `ctrl+]`. */
  readonly prefix: string
  /** Show a status line below the screen. */
  readonly status: boolean
  /** The wheel scrolls, and programs get the mouse. Otherwise the mouse selects text, as the person's terminal does it. */
  readonly mouse: boolean
  /** Calls back when the process is asked to end: the person's terminal gets its modes back first. */
  readonly onInterrupt: (call: () => void) => Stop
  /** The daemon was replaced while the person was attached. */
  readonly isNewDaemon?: boolean
  /** Splits the person's input into text for the program and keys for agentpty, without the prefix key. */
  readonly keys?: KeyReader
}

/** Null when the person left; else how the program ended. */
export type Departure = Exit | null

/** Errors: `session_not_found`. */
export async function attach(options: AttachOptions): Promise<Departure> {
  return new Attachment(options).run()
}

class Attachment {
  readonly #options: AttachOptions
  readonly #keys: KeyReader
  #window: Window
  #screen: Size = { cols: 0, rows: 0 }
  #turnOver = new AbortController()
  #hasLeft = false
  #isHinting = false
  #isWelcoming: boolean
  #hasStatus: boolean
  #fits: boolean
  #copy: CopyMode | null = null
  readonly #searcher: CopySearcher
  #isReadingMore = false
  /** Rows that the wheel scrolls before copy mode has begun. */
  #wheeled = 0
  #hasMouse: boolean
  readonly #mouse = new MouseReader()
  #title = ''
  readonly #lease: LeaseWords

  constructor(options: AttachOptions) {
    this.#options = options
    this.#keys = options.keys ?? new PrefixKeys(prefixByte(options.prefix))
    this.#fits = options.fit
    this.#hasStatus = options.status
    this.#hasMouse = options.mouse
    this.#isWelcoming = options.status
    this.#window = this.#newWindow(options.terminal.size())
    const { client, clock, terminalId } = options
    this.#searcher = new CopySearcher(client, terminalId)
    this.#lease = new LeaseWords({ client, clock, terminalId, changed: () => this.#showStatus() })
  }

  async run(): Promise<Departure> {
    const { terminal, print } = this.#options
    // Before anything is drawn, so that an unknown id leaves the screen as it was.
    const stopKeys = await this.#begin()
    const stopSizes = terminal.onResize(() => this.#redraw())
    const stopInterrupts = this.#options.onInterrupt(() => this.#leave())
    try {
      for (;;) {
        const exit = await this.#watch(terminal.size())
        if (this.#hasLeft || exit !== null) return exit
      }
    } finally {
      stopKeys()
      stopSizes()
      stopInterrupts()
      await this.#lease.giveBack()
      await print(`${this.#window.giveModesBack()}${leaveScreen}${restoreTitle}`)
    }
  }

  async #begin(): Promise<Stop> {
    const { client, terminalId, terminal, print } = this.#options
    const { cols, rows } = await client.call('screenshot', { terminalId })
    this.#screen = { cols, rows }
    await print(`${keepTitle}${enterScreen}`)
    return terminal.keys((bytes) => this.#typed(bytes))
  }

  /** Until the window has another size, the person leaves, or the program ends. */
  async #watch(size: Size): Promise<Departure> {
    const { client, terminalId, print } = this.#options
    const modes = this.#window.giveModesBack()
    if (this.#fits) await this.#fit(size)
    const hasRow = this.#hasRow(size)
    const shown = hasRow ? { ...size, rows: size.rows - 1 } : size
    this.#window = this.#newWindow(shown)
    await print(`${modes}${enterScreen}`)
    this.#turnOver = new AbortController()
    const { signal } = this.#turnOver
    if (this.#hasLeft) return null
    for await (const event of client.follow(terminalId, { frames: { ...shown, links: true }, lease: true, signal })) {
      if (event.type === 'exit') return event.exit
      if (event.type === 'frame') await this.#show(event)
      if (event.type === 'lease') this.#lease.seen(event.lease)
      // The screen has got or lost the row below it.
      if (this.#hasRow(size) !== hasRow) this.#redraw()
    }
    if (signal.aborted) return null
    // The stream ended without an exit: the terminal was closed.
    return { code: null, signal: 'SIGHUP' }
  }

  async #show(frame: Frame): Promise<void> {
    const { print, terminalId } = this.#options
    this.#screen = frame.size
    const drawing = this.#window.draw(frame)
    // In copy mode nothing moves; the whole screen is drawn afterwards.
    if (this.#copy !== null) return
    const title = `${this.#lease.isMine ? '[yours] ' : ''}${frame.title || terminalId} – agentpty`
    const news = title === this.#title ? '' : setTitle(title)
    this.#title = title
    await print(
      `${news}${atOnce(`${drawing}${this.#overlay()}${this.#window.drawCursor()}`)}${this.#window.takeModes()}`,
    )
  }

  #newWindow(size: Size): Window {
    return new Window({ top: 0, left: 0, ...size }, (modes) => ownModes(modes, this.#hasMouse))
  }

  /** The status line has a row of its own below the screen. */
  #hasRow(size: Size): boolean {
    return this.#hasStatus && !this.#fits && hasRoomForStatus(size, this.#screen)
  }

  #redraw(): void {
    this.#copy = null
    this.#turnOver.abort()
  }

  #typed(bytes: Uint8Array): void {
    for (const part of this.#mouse.take(bytes)) {
      if ('button' in part) this.#pointed(part)
      else if (this.#copy !== null) this.#moveInCopyMode(this.#copy, (copy) => copy.take(part))
      else for (const typed of this.#keys.take(part)) this.#act(typed)
    }
  }

  /** A program that wants the mouse gets it. Otherwise the wheel scrolls back, or moves in a program on the alternate screen. */
  #pointed(report: MouseReport): void {
    const { readOnly } = this.#options
    const rows = wheelOf(report)
    this.#isWelcoming = false
    if (this.#copy !== null) {
      if (rows !== null) this.#moveInCopyMode(this.#copy, (copy) => copy.scroll(rows))
      return
    }
    const { frame, area } = this.#window
    if (frame === null) return
    if (tracksMouse(frame.modes)) {
      const isInside =
        report.row < Math.min(area.rows, frame.size.rows) && report.col < Math.min(area.cols, frame.size.cols)
      const there = { ...report, row: report.row + frame.top, col: report.col + frame.left }
      if (isInside && !readOnly) this.#send(Buffer.from(encodeMouse(there, frame.modes), 'latin1'))
    } else if (frame.isAlternate === true) {
      if (rows !== null && !readOnly) this.#send(Buffer.from(wheelAsArrows(rows, frame.modes)))
    } else if (rows !== null && (rows < 0 || this.#wheeled < 0)) {
      const isFirst = this.#wheeled === 0
      this.#wheeled += rows
      if (isFirst) void this.#beginCopyMode()
    }
  }

  #act(typed: Typed): void {
    const { print, readOnly } = this.#options
    const hadNews = typed.kind === 'keys' && this.#lease.keyPressed()
    const wasCovered = this.#isHinting || this.#isWelcoming || hadNews
    this.#isHinting = typed.kind === 'prefix'
    this.#isWelcoming = false
    if (typed.kind === 'command') this.#obey(typed.key)
    else if (typed.kind === 'keys' && !readOnly) this.#send(typed.bytes)
    else if (typed.kind === 'keys' && isLeavingKey(typed.bytes)) this.#leave()
    if (this.#copy !== null || !(wasCovered || this.#isHinting)) return
    const overlay = this.#overlay()
    void print(`${overlay === '' ? this.#window.restoreLastRow() : overlay}${this.#window.drawCursor()}`)
  }

  #obey(key: string): void {
    if (key === 'd' || key === 'q') this.#leave()
    else if (key === '[') void this.#beginCopyMode()
    else if (key === 'm') {
      this.#hasMouse = !this.#hasMouse
      this.#redraw()
    } else if (key === 't' && !this.#options.readOnly) void this.#lease.toggle()
    else if (key === 's') {
      this.#hasStatus = !this.#hasStatus
      this.#redraw()
    } else if (key === 'f') {
      this.#fits = true
      this.#redraw()
    }
  }

  async #beginCopyMode(): Promise<void> {
    const { client, terminalId, terminal, print } = this.#options
    // The program may end at any moment: then there is no scrollback to read.
    const seen = await client
      .call('screenshot', { terminalId, lines: scrollbackRows, commands: true })
      .catch(() => null)
    const rows = this.#wheeled
    this.#wheeled = 0
    if (seen === null || this.#hasLeft || this.#copy !== null) return
    this.#copy = new CopyMode(seen.screen, terminal.size(), seen.commands)
    if (rows !== 0) this.#copy.scroll(rows)
    await print(`${this.#window.takeOnly(ownModes([], this.#hasMouse))}${atOnce(this.#copy.draw())}`)
  }

  #moveInCopyMode(copy: CopyMode, move: (copy: CopyMode) => CopyOutcome): void {
    const { print } = this.#options
    const outcome = move(copy)
    if (outcome.kind === 'goes on' || outcome.kind === 'search') {
      void print(atOnce(copy.draw()))
      if (outcome.kind === 'search') void this.#searchOutput(copy, outcome.search)
      else void this.#readMore(copy)
    } else {
      if (outcome.kind === 'copied') void print(toClipboard(outcome.text))
      if (outcome.kind === 'output') void this.#copyOutput(outcome.command)
      this.#redraw()
    }
  }

  async #searchOutput(copy: CopyMode, search: CopySearch): Promise<void> {
    try {
      const result = await this.#searcher.find(search)
      if (this.#copy !== copy) return
      if (result === null) copy.miss()
      else copy.show(result.found, result.offset)
    } catch (error) {
      if (this.#copy !== copy) return
      copy.fail(error instanceof Error ? error.message : String(error))
    }
    void this.#options.print(atOnce(copy.draw()))
    await this.#readMore(copy)
  }

  /** Reads rows before the person comes to the end of those that copy mode has. */
  async #readMore(copy: CopyMode): Promise<void> {
    if (this.#isReadingMore) return
    this.#isReadingMore = true
    for (let { needs } = copy; needs !== null && this.#copy === copy; needs = copy.needs) {
      const more = await this.#searcher.more(needs.output, needs.step).catch(() => null)
      if (more === null) break
      // A search may have replaced the rows meanwhile.
      if (copy.needs?.output === needs.output) copy.extend(more, needs.step)
    }
    this.#isReadingMore = false
  }

  /** Copies the output as the program printed it, not as it is drawn. */
  async #copyOutput({ offset: since, end }: CopiedCommand): Promise<void> {
    const { client, terminalId, print } = this.#options
    const input = { terminalId, since, maxBytes: outputBytesMax, ...(end === null ? {} : { until: end }) }
    // The program may end at any moment: then there is nothing to read.
    const read = await client.call('read', input).catch(() => null)
    if (read !== null && !this.#hasLeft) await print(toClipboard(read.output))
  }

  #showStatus(): void {
    if (this.#copy !== null || this.#hasLeft) return
    const overlay = this.#overlay()
    if (overlay !== '') void this.#options.print(`${overlay}${this.#window.drawCursor()}`)
  }

  #leave(): void {
    this.#hasLeft = true
    this.#turnOver.abort()
  }

  #send(bytes: Uint8Array): void {
    const { client, terminalId } = this.#options
    const data = Buffer.from(bytes).toString('base64')
    // The program may end at any moment: what is typed after that is dropped.
    client.call('write', { terminalId, data }).catch((error: unknown) => this.#lease.refused(error))
  }

  async #fit(size: Size): Promise<void> {
    const { client, terminalId } = this.#options
    await client.call('resize', { terminalId, ...size }).catch(() => undefined)
  }

  /** Builds the content of the last row: the keys that may be pressed now, how to leave, or the status. */
  #overlay(): string {
    const { terminal, terminalId: name, prefix, readOnly, isNewDaemon = false } = this.#options
    const size = terminal.size()
    const words = { name, prefix, readOnly, screen: this.#screen, lease: this.#lease.words }
    if (this.#isHinting) return drawOverLastRow(keysOf(prefix), size)
    if (this.#isWelcoming) return drawOverLastRow(welcome(words, isNewDaemon), size)
    return this.#window.area.rows < size.rows || this.#lease.isNew ? drawOverLastRow(statusLine(words), size) : ''
  }
}
