/**
 * A person at a terminal: sees its screen in theirs, types into it, and leaves it as it is.
 *
 * Nobody else's picture changes by that: a window that is smaller than the screen shows a part of it, and only who asks
 * for it makes the terminal as large as their window.
 */

import type { Exit } from '../../../contracts/ports.ts'
import type { Size } from '../../../contracts/units.ts'
import type { DaemonClient, Terminal } from '../command.ts'
import { type KeyReader, PrefixKeys, prefixName, type Typed } from './prefix-keys.ts'
import { atOnce, enterScreen, goTo, leaveScreen, Window } from './window.ts'

export interface AttachOptions {
  readonly client: DaemonClient
  readonly terminal: Terminal
  readonly print: (text: string) => void | Promise<void>
  readonly terminalId: string
  readonly readOnly: boolean
  /** Make the terminal as large as the window, and keep it so. */
  readonly fit: boolean
  /** What the person types, and what of it is for us; the prefix key's without it. */
  readonly keys?: KeyReader
}

/** Null when the person left; else how the program ended. */
export type Departure = Exit | null

const interruptKey = 0x03

/** Errors: `session_not_found`. */
export async function attach(options: AttachOptions): Promise<Departure> {
  return new Attachment(options).run()
}

class Attachment {
  readonly #options: AttachOptions
  readonly #keys: KeyReader
  #window: Window
  #turnOver = new AbortController()
  #hasLeft = false
  #isHinting = false
  #fits: boolean

  constructor(options: AttachOptions) {
    this.#options = options
    this.#keys = options.keys ?? new PrefixKeys()
    this.#fits = options.fit
    this.#window = new Window({ top: 0, left: 0, ...options.terminal.size() })
  }

  async run(): Promise<Departure> {
    const { terminal, print } = this.#options
    // Before anything is drawn: an id that is none leaves the screen as it was.
    const stopKeys = await this.#begin()
    const stopSizes = terminal.onResize(() => this.#turnOver.abort())
    try {
      for (;;) {
        const exit = await this.#watch(terminal.size())
        if (this.#hasLeft || exit !== null) return exit
      }
    } finally {
      stopKeys()
      stopSizes()
      await print(`${this.#window.giveModesBack()}${leaveScreen}`)
    }
  }

  async #begin(): Promise<() => void> {
    const { client, terminalId, terminal, print } = this.#options
    await client.call('screenshot', { terminalId })
    await print(enterScreen)
    return terminal.keys((bytes) => this.#typed(bytes))
  }

  /** Until the window has another size, the person leaves, or the program ends. */
  async #watch(size: Size): Promise<Departure> {
    const { client, terminalId, print } = this.#options
    const modes = this.#window.giveModesBack()
    this.#window = new Window({ top: 0, left: 0, ...size })
    await print(`${modes}${enterScreen}`)
    if (this.#fits) await this.#fit()
    this.#turnOver = new AbortController()
    const { signal } = this.#turnOver
    if (this.#hasLeft) return null
    for await (const event of client.follow(terminalId, { frames: size, signal })) {
      if (event.type === 'exit') return event.exit
      if (event.type !== 'frame') continue
      const title = event.title === '' ? '' : `\x1b]2;${event.title}\x07`
      await print(
        `${title}${atOnce(`${this.#window.draw(event)}${this.#hint()}${this.#window.drawCursor()}`)}${this.#window.takeModes()}`,
      )
    }
    if (signal.aborted) return null
    // It ended without an end: somebody closed the terminal.
    return { code: null, signal: 'SIGHUP' }
  }

  #typed(bytes: Uint8Array): void {
    for (const typed of this.#keys.take(bytes)) this.#act(typed)
  }

  #act(typed: Typed): void {
    const { print, readOnly } = this.#options
    const wasHinting = this.#isHinting
    this.#isHinting = typed.kind === 'prefix'
    if (typed.kind === 'command') this.#obey(typed.key)
    else if (typed.kind === 'keys' && !readOnly) this.#send(typed.bytes)
    else if (typed.kind === 'keys' && typed.bytes.includes(interruptKey)) this.#leave()
    const covered = this.#isHinting ? this.#hint() : this.#window.restoreLastRow()
    if (wasHinting || this.#isHinting) void print(`${covered}${this.#window.drawCursor()}`)
  }

  #obey(key: string): void {
    if (key === 'd' || key === 'q') this.#leave()
    else if (key === 'f') {
      this.#fits = true
      void this.#fit()
    }
  }

  #leave(): void {
    this.#hasLeft = true
    this.#turnOver.abort()
  }

  #send(bytes: Uint8Array): void {
    const { client, terminalId } = this.#options
    // The program may end at any moment: what is typed after it has nowhere to go.
    client.call('write', { terminalId, data: Buffer.from(bytes).toString('base64') }).catch(() => undefined)
  }

  async #fit(): Promise<void> {
    const { client, terminalId, terminal } = this.#options
    await client.call('resize', { terminalId, ...terminal.size() }).catch(() => undefined)
  }

  /** What may be pressed now, over the last row. */
  #hint(): string {
    if (!this.#isHinting) return ''
    const { rows, cols } = this.#window.area
    const words = ` ${prefixName}  d: leave   f: make it as large as this window   ${prefixName}: send that key   other: go on `
    return `${goTo(rows - 1, 0)}\x1b[0;7m${words.slice(0, cols).padEnd(cols)}\x1b[0m`
  }
}
